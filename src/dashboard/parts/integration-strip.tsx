/** The team's switch, read once for all pages; while it is off, each of them has a red strip. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Integration, readAt } from '../read.ts';
import { type Loaded, useLoaded } from '../use-loaded.ts';

const Known = createContext<Loaded<Integration> | undefined>(undefined);

/** On a page of an admin. */
export const useIntegration = (): Loaded<Integration> => useContext(Known) as Loaded<Integration>;

export function WithIntegration({ children }: { readonly children?: ComponentChildren }) {
  const loaded = useLoaded<Integration>('integration', () => readAt('team/integration', {}), {
    live: true,
  });
  return (
    <Known.Provider value={loaded}>
      {loaded.data?.apiEnabled === false && (
        <p class="strip" role="status">
          <strong>Integration is off: </strong>every key is refused (403). Keys are kept.{' '}
          <a href="/dashboard/keys">Keys</a>
        </p>
      )}
      {children}
    </Known.Provider>
  );
}
