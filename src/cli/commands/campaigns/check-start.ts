/**
 * No campaign is started or scheduled before a person has confirmed its number of recipients or its name. The client checks this before
 * each write, so that no command can forget. A command with several writes checks it before the first.
 */

import type { WriteRequest } from '../../../client/client.ts';
import { IdMap, isUuid } from '../../../client/ids.ts';
import { campaigns } from '../../../contract/campaigns.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context, WriteCheck } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { isMissing } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { gather, readByIds } from '../../resources/methods.ts';

type Campaign = RecordFor<'campaigns'>;

/** The start that a write requests. */
interface Start {
  readonly status: 'sending' | 'scheduled';
  /** Whether it sets the status, not only the time. */
  readonly setsStatus: boolean;
  /** The time of the start. */
  readonly at: string | undefined;
}

/** Fails with exit 2 if a write would start a campaign that the person hasn't confirmed. */
export const checkCampaignStarts: WriteCheck = async (context, writes) => {
  const wanted = new IdMap(
    writes
      .flatMap((write) => parseStart(write) ?? [])
      .filter(([id]) => !context.confirmedIds.has(id)),
  );
  const started = wanted.size === 0 ? [] : await campaignsToStart(context, wanted);
  const [first] = started;
  if (!first) return;
  const names = started.slice(0, 5).map(({ name }) => name);
  const more = started.length > names.length ? ` and ${started.length - names.length} more` : '';
  throw usage(
    `This would start ${started.length === 1 ? 'the campaign' : 'campaigns:'} ${names.join(', ')}${more}. Confirm the number of recipients or the name with the command for it. Nothing was sent.`,
    `\`${nextCommand([...commandFor(first, wanted.get(first.id) as Start), '--confirm', 'COUNT'], connectionFlags(context))}\``,
  );
};

async function campaignsToStart(context: Context, wanted: IdMap<Start>): Promise<Campaign[]> {
  const { campaigns } = await context.client();
  const [uuids, others] = [
    [...wanted.keys()].filter(isUuid),
    [...wanted.keys()].filter((id) => !isUuid(id)),
  ];
  const found = await gather(readByIds(uuids, (query) => campaigns.all(query)));
  // A list of ids may refuse one of another form; a single record with it is just missing.
  for (const id of others)
    found.push(...(await campaigns.get(id).then((campaign) => [campaign], noneIfMissing)));
  return found.filter((campaign) => wouldStart(campaign, wanted.get(campaign.id) as Start));
}

function noneIfMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

/** Whether a write may start or schedule a campaign, depending on its current status. */
export const startsCampaign = (write: WriteRequest): boolean => parseStart(write) !== undefined;

/** The campaign that a write would start or schedule; undefined for any other write. */
function parseStart({
  method,
  path,
  body,
}: WriteRequest): [[id: string, start: Start]] | undefined {
  const { status, scheduledAt } = (body ?? {}) as { status?: unknown; scheduledAt?: unknown };
  const at = typeof scheduledAt === 'string' ? scheduledAt : undefined;
  if (method !== 'PATCH') return undefined;
  if (status !== 'sending' && status !== 'scheduled' && (status !== undefined || at === undefined))
    return undefined;
  // Decoded, because `cs api` accepts any spelling of a path.
  const [, id] =
    /\/marketing\/campaigns\/([^/]+)\/?$/i.exec(decodePath(new URL(path, 'http://x').pathname)) ??
    [];
  return id === undefined
    ? undefined
    : [[id, { status: status ?? 'scheduled', setsStatus: status !== undefined, at }]];
}

/**
 * False where the campaign already has the status or can't get it: then the server decides. The time alone starts nothing unless the
 * campaign is scheduled. In a state that the interface doesn't have, or an unknown one, any write may start it.
 */
function wouldStart({ status, scheduledAt }: Campaign, wanted: Start): boolean {
  if (status === 'scheduled' && wanted.status === 'scheduled')
    return wanted.at !== undefined && Date.parse(wanted.at) !== Date.parse(scheduledAt ?? '');
  const next: readonly unknown[] | undefined = campaigns.transitions.to[status];
  return next ? wanted.setsStatus && next.includes(wanted.status) : status !== wanted.status;
}

/** The server reports malformed paths. */
function decodePath(path: string): string {
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
