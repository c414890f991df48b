/**
 * No campaign starts, nor is set to start, before a person repeated how many it reaches, or its name. The client asks here before each
 * write is sent, whichever command makes it, so that none can forget; a command that makes several writes asks before the first.
 */
import type { Client } from '../client/client.ts';
import { campaigns } from '../contract/campaigns.ts';
import type { RecordFor } from '../contract/contract.ts';
import type { Context } from './command.ts';
import { usage } from './exit.ts';
import { globalFlagsOf, nextCommand } from './next-command.ts';

type Campaign = RecordFor<'campaigns'>;

interface Write {
  readonly method: string;
  /** With or without `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
}

export interface CampaignStarts {
  /** The person was shown whom it reaches, and agreed. */
  agree(id: string): void;
  /** Fails with exit 2 where one of them would start a campaign that nobody agreed to. */
  permit(writes: readonly Write[]): Promise<void>;
}

export function createCampaignStarts(context: Pick<Context, 'settings'>, client: () => Promise<Client>): CampaignStarts {
  const agreed = new Set<string>();

  /** What starts nothing, since the campaign stands there already or cannot come there, is left to the server. */
  async function startedBy(wanted: ReadonlyMap<string, Campaign['status']>): Promise<Campaign[]> {
    const ids = [...wanted.keys()];
    const found: Campaign[] = [];
    for (let at = 0; at < ids.length; at += 200) {
      const { data } = await (await client()).campaigns.list({ ids: ids.slice(at, at + 200), limit: 200 });
      found.push(...data.filter(({ id, status }) => (campaigns.transitions.to[status] as readonly unknown[]).includes(wanted.get(id))));
    }
    return found;
  }

  return {
    agree: (id) => void agreed.add(id),
    async permit(writes) {
      const wanted = new Map(writes.flatMap((write) => startOf(write) ?? []).filter(([id]) => !agreed.has(id)));
      const started = wanted.size === 0 ? [] : await startedBy(wanted);
      const [first] = started;
      if (!first) return;
      const names = started.slice(0, 5).map(({ name }) => name);
      const more = started.length > names.length ? ` and ${started.length - names.length} more` : '';
      throw usage(
        `This would start ${started.length === 1 ? 'the campaign' : 'campaigns:'} ${names.join(', ')}${more}. That needs the count of whom it reaches, or its name, and is done by a command of its own. Nothing was sent.`,
        `\`${nextCommand([...commandFor(first, wanted.get(first.id)), '--confirm', 'COUNT'], globalFlagsOf(context))}\``,
      );
    },
  };
}

/** Whether a write would start a campaign, or set it to start, if it does not stand there already. */
export const asksToStart = (write: Write): boolean => startOf(write) !== undefined;

/** The campaign that a write would start or set to start, and how; nothing for any other write. */
function startOf({ method, path, body }: Write): [[id: string, status: Campaign['status']]] | undefined {
  const { status } = (body ?? {}) as { status?: unknown };
  if (method !== 'PATCH' || (status !== 'sending' && status !== 'scheduled')) return undefined;
  // As it will be sent, whatever way of writing it `cs api` was given.
  const [, id] = /\/marketing\/campaigns\/([\da-f-]{36})\/?$/i.exec(decodeURIComponent(new URL(path, 'http://x').pathname)) ?? [];
  return id === undefined ? undefined : [[id.toLowerCase(), status]];
}

function commandFor({ name, status }: Campaign, wanted: Campaign['status'] | undefined): string[] {
  if (wanted === 'scheduled') return ['campaigns', 'schedule', name, '--at', 'WHEN'];
  return ['campaigns', status === 'paused' ? 'resume' : 'send', name];
}
