/**
 * Work without the server: what happens while it can't be reached is queued with its time, and sent in order by the next command that
 * reaches it. Whether a place is free is only known when it is sent.
 */
import { NetworkError } from '../../../client/errors.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime, parsePast } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { sanitize } from '../../terminal/text.ts';
import { findPhotos } from '../photos/find.ts';
import { type CommandName, createEntry, journalFolder, type QueuedPlan, type TypedFlags } from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import { entryOf } from './journal.ts';

/** What a command asks without the server. */
export interface OfflineWork {
  /** In a sentence: `drop-off`. */
  readonly what: string;
  readonly asks: readonly ('car' | 'type' | 'place' | 'notes' | 'photo')[];
  /** The event type to offer first. */
  readonly usualType?: string;
}

/** The person goes on without the server. The answers given so far are kept as flags. */
export class WorkOffline extends Error {
  readonly flags: TypedFlags;

  constructor(flags: TypedFlags) {
    super('Work offline.');
    this.flags = flags;
  }
}

/** Whether no request reaches the server, so that nothing was stored. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError && !error.unknownOutcome && ['connection_failed', 'connection_lost', 'timeout'].includes(error.code);

interface Queued {
  readonly command: CommandName;
  readonly work: OfflineWork;
  readonly words: string;
  readonly flags: TypedFlags;
}

/** Writes what happens now into the journal, for `cs pending resume`. */
export async function queue(context: Context, { command, work, words, flags }: Queued): Promise<void> {
  const { io, output, styles } = context;
  const photos = Array.isArray(flags.photo) && flags.photo.length > 0 ? await findPhotos(flags.photo, io) : [];
  // What is said of now means another moment once it is sent.
  const at = typeof flags.at === 'string' ? parsePast(flags.at, io.now(), '--at') : io.now().toISOString();
  const typed = { ...flags, at, photo: photos, notes: flags.notes ?? '' };
  const what = `${work.what} of ${flags.car}`;
  const entry = entryOf(context, { command, what, words, files: await readFileFacts(photos), plan: { typed } satisfies QueuedPlan });
  const writer = await createEntry(journalFolder(io), entry);
  await writer.close();
  const next = nextCommand(['pending', 'resume'], connectionFlags(context));
  const facts = labelled(context, [
    ['Time', localTime(at)],
    ['Next', next],
    ['', 'The next drop-off, pick-up or move sends it too, once the server is back.'],
  ]);
  const { id, startedAt } = entry;
  const title = `${styles.success('✓')} ${styles.title(sanitize(`${what}: queued, not sent`))}`;
  await output.styled({ queued: { id, command, what, startedAt, at } }, `\n${title}\n\n${facts}`);
}
