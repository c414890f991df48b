/**
 * No campaign starts, nor is set to start, before a person repeated how many it reaches, or its name. The client asks here before each
 * write is sent, whichever command makes it, so that none can forget; a command that makes several writes asks before the first.
 */

import type { Client } from '../../client/client.ts';
import { campaigns } from '../../contract/campaigns.ts';
import type { RecordFor } from '../../contract/contract.ts';
import type { Settings } from '../config/settings.ts';
import { gather, readByIds } from '../crud/methods.ts';
import { usage } from '../errors/exit.ts';
import { globalFlagsOf, nextCommand } from './next-command.ts';

type Campaign = RecordFor<'campaigns'>;

interface Write {
  readonly method: string;
  /** With or without `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
}

/** What a write asks of a campaign. */
interface Start {
  readonly status: 'sending' | 'scheduled';
  /** It brings the campaign to that status, rather than only setting the time. */
  readonly comes: boolean;
  /** When it is to start. */
  readonly at: string | undefined;
}

export interface CampaignStarts {
  /** The person was shown whom it reaches, and agreed. */
  agree(id: string): void;
  /** Fails with exit 2 where one of them would start a campaign that nobody agreed to. */
  permit(writes: readonly Write[]): Promise<void>;
}

export function createCampaignStarts(context: { readonly settings: Settings }, client: () => Promise<Client>): CampaignStarts {
  const agreed = new Set<string>();

  async function startedBy(wanted: ReadonlyMap<string, Start>): Promise<Campaign[]> {
    const { campaigns } = await client();
    const found = await gather(readByIds(wanted.keys(), (query) => campaigns.list(query)));
    return found.filter((campaign) => starts(campaign, wanted.get(campaign.id) as Start));
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
        `\`${nextCommand([...commandFor(first, wanted.get(first.id) as Start), '--confirm', 'COUNT'], globalFlagsOf(context))}\``,
      );
    },
  };
}

/** Whether a write would start a campaign, or set when it starts, if it does not stand there already. */
export const asksToStart = (write: Write): boolean => startOf(write) !== undefined;

/** The campaign that a write would start or set to start, and how; nothing for any other write. */
function startOf({ method, path, body }: Write): [[id: string, start: Start]] | undefined {
  const { status, scheduledAt } = (body ?? {}) as { status?: unknown; scheduledAt?: unknown };
  const at = typeof scheduledAt === 'string' ? scheduledAt : undefined;
  if (method !== 'PATCH') return undefined;
  if (status !== 'sending' && status !== 'scheduled' && (status !== undefined || at === undefined)) return undefined;
  // As it will be sent, whatever way of writing it `cs api` was given.
  const [, id] = /\/marketing\/campaigns\/([\da-f-]{36})\/?$/i.exec(decoded(new URL(path, 'http://x').pathname)) ?? [];
  return id === undefined ? undefined : [[id.toLowerCase(), { status: status ?? 'scheduled', comes: status !== undefined, at }]];
}

/**
 * What starts nothing, since the campaign stands there already or cannot come there, is left to the server. So is the time of one that is
 * not scheduled: it says nothing yet.
 */
function starts({ status, scheduledAt }: Campaign, wanted: Start): boolean {
  if (status === 'scheduled' && wanted.status === 'scheduled')
    return wanted.at !== undefined && Date.parse(wanted.at) !== Date.parse(scheduledAt ?? '');
  return wanted.comes && (campaigns.transitions.to[status] as readonly unknown[]).includes(wanted.status);
}

/** A path that is none names no campaign; what to say of it is the server's. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function commandFor({ name, status }: Campaign, wanted: Start): string[] {
  if (wanted.status === 'scheduled') return ['campaigns', 'schedule', name, '--at', 'WHEN'];
  return ['campaigns', status === 'paused' ? 'resume' : 'send', name];
}
