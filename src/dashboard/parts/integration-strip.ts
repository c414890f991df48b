/** A red strip on every page while the integration is off. */
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { h } from '../h.ts';
import { changes } from '../live.ts';
import { type Integration, team } from '../team.ts';

export const integration = signal<Integration | undefined>(undefined);

export async function readIntegration(signal?: AbortSignal): Promise<Integration> {
  integration.value = await team.integration(signal);
  return integration.value;
}

export function IntegrationStrip(): VNode | null {
  const change = changes.value;
  useEffect(() => {
    const abort = new AbortController();
    // Pages that need it say why it can't be read.
    readIntegration(abort.signal).catch(() => {});
    return () => abort.abort();
  }, [change]);
  if (integration.value?.apiEnabled !== false) return null;
  return h(
    'p',
    { class: 'strip', role: 'status' },
    h('strong', null, 'Integration is off: '),
    'every key is refused (403). Keys are kept. ',
    h('a', { href: '/dashboard/keys' }, 'Keys'),
  );
}
