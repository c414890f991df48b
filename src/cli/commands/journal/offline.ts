/**
 * Work without the server: what happens while it can't be reached is queued with its time, and sent in order by the next command that
 * reaches it. Whether a place is free is only known when it is sent.
 */
import { NetworkError } from '../../../client/errors.ts';
import type { Context } from '../../context.ts';
import { CliError, sameCode } from '../../errors/exit.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime, parseEventTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { sanitize } from '../../terminal/text.ts';
import { findPhotos } from '../photos/find.ts';
import {
  type CommandName,
  createEntry,
  type Entry,
  journalFolder,
  type QueuedFlags,
  type StoredEntry,
} from './entry.ts';
import { readFileFacts } from './file-facts.ts';
import { isFresh } from './fresh.ts';
import { entryOf, journalUnusable } from './journal.ts';
import { knownCar, knownCarId } from './known-car.ts';
import type { KnownNames } from './known-names.ts';
import { laterWork } from './later-work.ts';
import { queuedHere } from './read-journal.ts';
import { discardCommand } from './resume-command.ts';

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
  readonly flags: QueuedFlags;

  constructor(flags: QueuedFlags) {
    super('Work offline.');
    this.flags = flags;
  }
}

/** Whether no request reaches the server, so that nothing was stored. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError &&
  !error.unknownOutcome &&
  ['connection_failed', 'connection_lost', 'timeout'].includes(error.code);

/** The error with the flag that queues the work, for a script, and for a person where no names are known here. */
export function namesOfflineFlag({ settings, interactive }: Context, error: unknown): CliError {
  const { code, message, hint } = reportOf(error, { baseUrl: settings.connection().baseUrl.value });
  const flags = interactive ? 'give the car, the type and the place as flags and add' : 'add';
  const offline = `to go on without the server, ${flags} --offline`;
  return new CliError({
    code: sameCode(code),
    message,
    hint: [hint, offline].filter(Boolean).join('; '),
    exitCode: exitCodeOf(error),
    cause: error,
  });
}

interface Queued {
  readonly command: CommandName;
  readonly work: OfflineWork;
  readonly words: string;
  readonly flags: QueuedFlags;
  /** What is known of cars and places without the server. */
  readonly names: KnownNames | undefined;
}

/** Writes what happens now into the journal, for `cs pending resume`. */
export async function queue(
  context: Context,
  { command, work, words, flags, names }: Queued,
): Promise<Entry> {
  const { io } = context;
  const photos =
    Array.isArray(flags.photo) && flags.photo.length > 0 ? await findPhotos(flags.photo, io) : [];
  // What is said of now means another moment once it is sent.
  const at =
    typeof flags.at === 'string'
      ? parseEventTime(flags.at, io.now(), '--at')
      : io.now().toISOString();
  const queued = { ...flags, at, photo: photos, notes: flags.notes ?? '' };
  const what = `${work.what} of ${flags.car}`;
  const known = await knownCar(context, queued, names);
  const entry = await entryOf(context, {
    command,
    what,
    words,
    files: await readFileFacts(photos),
    queued,
    known,
    plan: null,
  });
  const { lock, writer } = await createEntry(journalFolder(io), entry).catch((error: unknown) => {
    throw journalUnusable(context, error, `The ${what} isn't queued.`);
  });
  await writer.close();
  lock.release();
  await printQueued(context, entry);
  return entry;
}

interface QueuedBefore {
  /** The work of this line that is queued already. */
  readonly queued?: StoredEntry | undefined;
  /** Such work, and later work of which nothing tells whether it is of the same car. */
  readonly unsure?: { readonly same: Entry; readonly later: Entry } | undefined;
}

export async function findQueued(
  context: Context,
  { command, words, flags, names }: Pick<Queued, 'command' | 'words' | 'flags' | 'names'>,
): Promise<QueuedBefore> {
  if (flags.car === undefined) return {};
  const queue = await queuedHere(context);
  let unsure: QueuedBefore['unsure'];
  for (const stored of queue) {
    const { entry } = stored;
    if (entry.command !== command || entry.words !== words || !isFresh(entry, context.io)) continue;
    const later = await laterWork(queue, stored, (one) => knownCarId(one.entry, names));
    if (!later) return { queued: stored };
    unsure = later.isSure ? undefined : { same: entry, later: later.entry };
  }
  return { unsure };
}

type Unsure = NonNullable<QueuedBefore['unsure']>;

/** The line may have been repeated, or it happened again. A person sees both in the queue, and can forget one. */
export function noteUnsure(context: Context, entry: Entry, { same, later }: Unsure): void {
  context.warn(
    `The ${same.what} was queued ${localTime(same.startedAt)}, too. This is queued as new work, since the ${later.what} (${localTime(later.startedAt)}) may be about the same car. If it isn't: \`${discardCommand(entry)}\``,
  );
}

/** In a script nobody decides: queued twice it would be stored twice, and left out it would be lost. */
export const refuseUnsure = ({ same, later }: Unsure): CliError =>
  new CliError({
    code: 'unfinished',
    message: `The ${same.what} was queued ${localTime(same.startedAt)} by the same line, and the ${later.what} (${localTime(later.startedAt)}) after it may be about the same car. Nothing was queued again.`,
    hint: 'if it happened again, give its time with --at; a mirror of `cs sync` tells which names are of one car (`cs config set mirror FILE`)',
    details: { id: same.id },
  });

export async function printQueued(
  context: Context,
  { id, command, what, startedAt, queued }: Entry,
): Promise<void> {
  const { output, styles } = context;
  const at = String(queued?.at);
  const next = nextCommand(['pending', 'resume'], connectionFlags(context));
  const facts = labelled(context, [
    ['Time', localTime(at)],
    ['Next', next],
    ['', 'The next drop-off, pick-up or move sends it too, once the server is back.'],
  ]);
  const title = `${styles.success('✓')} ${styles.title(sanitize(`${what}: queued, not sent`))}`;
  await output.styled({ queued: { id, command, what, startedAt, at } }, `\n${title}\n\n${facts}`);
}
