/** The team's switch, read once for all pages; while it is off, each of them has a red strip. */
import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type Child, h } from '../h.ts';
import { type Loaded, useLoaded } from '../read.ts';
import { type Integration, team } from '../team.ts';

const Known = createContext<Loaded<Integration> | undefined>(undefined);

/** On a page of an admin. */
export const useIntegration = (): Loaded<Integration> => useContext(Known) as Loaded<Integration>;

export function WithIntegration({ children }: { readonly children?: Child }): VNode {
  const loaded = useLoaded('integration', team.integration, { live: true });
  return h(
    Known.Provider,
    { value: loaded },
    loaded.data?.apiEnabled === false &&
      h(
        'p',
        { class: 'strip', role: 'status' },
        h('strong', null, 'Integration is off: '),
        'every key is refused (403). Keys are kept. ',
        h('a', { href: '/dashboard/keys' }, 'Keys'),
      ),
    children,
  );
}
