/**
 * No campaign is started or scheduled before a person has confirmed its number of recipients or its name. The client checks this before
 * each write, so that no command can forget. A command with several writes checks it before the first.
 */
import type { WriteRequest } from '../../../client/client.ts';
import type { WriteCheck } from '../../context.ts';
import { usage } from '../../errors/exit.ts';

/** Fails with exit 2 if a write would start a campaign that the person hasn't confirmed. */
export const checkCampaignStarts: WriteCheck = async ({ confirmedIds }, writes) => {
  const ids = writes.flatMap((write) => startedBy(write) ?? []);
  if (ids.every((id) => confirmedIds.has(id))) return;
  throw usage(
    'This would start or schedule a campaign, or change its time. Nothing was sent.',
    'use `cs campaigns send`, `schedule` or `resume`, which ask for the number of recipients',
  );
};

/** Whether a write may start or schedule a campaign, or change the time of its start. */
export const startsCampaign = (write: WriteRequest): boolean => startedBy(write) !== undefined;

function startedBy({ method, path, body }: WriteRequest): string | undefined {
  const { status, scheduledAt } = (body ?? {}) as { status?: unknown; scheduledAt?: unknown };
  const starts =
    status === 'sending' ||
    status === 'scheduled' ||
    (status === undefined && typeof scheduledAt === 'string');
  if (method !== 'PATCH' || !starts) return undefined;
  // Decoded, because `cs api` accepts any spelling of a path.
  const [, id] =
    /\/marketing\/campaigns\/([^/]+)\/?$/i.exec(decodePath(new URL(path, 'http://x').pathname)) ??
    [];
  return id;
}

/** The server reports malformed paths. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
