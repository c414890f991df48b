/** The steps of an entry: each request is sent once, whatever ends the command in between. */
import { randomUUID } from 'node:crypto';
import { ApiError, CarStorageError, ProtocolError } from '../../../client/errors.ts';
import type { CallOptions } from '../../../client/options.ts';
import { rulesOutEarlierTry } from '../../../client/retry.ts';
import { CliError } from '../../errors/exit.ts';
import { mayStillRun } from '../../errors/final.ts';
import {
  type Change,
  type EntryWriter,
  isBegun,
  type SentContent,
  type StepLine,
  type StoredEntry,
  type TimeSpan,
} from './entry.ts';
import type { Found } from './find-match.ts';

export interface FindOptions extends CallOptions {
  /** When the server may have carried the request out. */
  readonly during: TimeSpan;
}

interface Step<T> {
  /** Path of its POST, below `/api/v1`. */
  readonly path: string;
  /** `mayBeStored`: an earlier run may have stored it, so what it expects of the state may not hold. */
  readonly send: (idempotencyKey: string, mayBeStored: boolean) => Promise<T>;
  /** Asks the server for the record of a request that was sent and got no answer. */
  readonly find: (options: FindOptions) => Promise<Found<T>>;
  /** Kept with the step, to compare it with what is stored. */
  readonly content?: SentContent;
}

export interface Steps {
  /** Sends the request of a step, or returns what an earlier run stored. Throws the error of `send`, which leaves the step open. */
  once<T extends object>(name: string, step: Step<T>): Promise<T>;
  /** The record of a step that an earlier run sent, where the server has it; undefined otherwise. Sends nothing. */
  recover<T extends object>(name: string, find: Step<T>['find']): Promise<T | undefined>;
  /** The answer of a step that is done. */
  answer(name: string): unknown;
  /** What a step sent. */
  content(name: string): SentContent | undefined;
  /** Whether the request of a step was sent and not refused. */
  mayBeStored(name: string): boolean;
  /** Whether the server, or this machine, refused a step. */
  refused(name: string): boolean;
  /** The command that finishes what was begun, for the hint of an error; undefined where nothing keeps it. */
  readonly resume?: string | undefined;
  /** The command that forgets it. */
  readonly discard?: string | undefined;
  /** Replaces parts of the entry. */
  change(parts: Change): Promise<void>;
}

/** For a run that nothing would finish, such as that of the demo. */
export const withoutJournal: Steps = {
  once: (_name, { send }) => send(randomUUID(), false),
  recover: async () => undefined,
  answer: () => undefined,
  content: () => undefined,
  mayBeStored: () => false,
  refused: () => false,
  change: async () => {},
};

interface StepsOptions {
  readonly writer: EntryWriter;
  readonly keyBase: string;
  readonly resume: string;
  readonly discard: string;
  readonly lines: StoredEntry['lines'];
  /** The time of the server, ISO 8601. */
  readonly serverTime: () => string;
  /** When an earlier run may have sent a request of which no line tells: its disk may have been full. Undefined for a first run. */
  readonly earlierRun: TimeSpan | undefined;
  /** A line of an earlier run is missing. */
  readonly isIncomplete: boolean;
  /** Whether the server recognises the idempotency key of a request to this path. */
  readonly recognises: (path: string) => Promise<boolean>;
  /** Waits until the time-out of a request that was sent then has passed. False where it has passed already. */
  readonly outwait: (sentAt: string) => Promise<boolean>;
  /** Called where the server can't tell whether a step was carried out. Throws if it may not be sent again. */
  readonly requireResend: (step: string, runsUntil: string | undefined) => Promise<void>;
  /** The error where a step was sent a second time and refused, which says nothing about the first time. */
  readonly refusedAgain: (step: string, error: unknown) => Error;
  /** Called when a line couldn't be written: the run goes on, since its requests are more important than its journal. */
  readonly onWriteError: (error: unknown) => Promise<void>;
}

export interface JournalSteps extends Steps {
  /** Whether something is stored, or may be. */
  begun(): boolean;
}

/** A server carries a request out within this time after it was sent, or never. */
const longestRequestMs = 600_000;

/** The last moment at which a request that was sent then may be carried out. */
export const endOf = (sentAt: string): string =>
  new Date(Date.parse(sentAt) + longestRequestMs).toISOString();

export function journalSteps(options: StepsOptions): JournalSteps {
  const {
    writer,
    keyBase,
    resume,
    discard,
    lines,
    serverTime,
    earlierRun,
    isIncomplete,
    recognises,
    outwait,
    requireResend,
  } = options;
  const { refusedAgain, onWriteError } = options;
  const known = new Map(lines);
  const write = (line: Parameters<EntryWriter['write']>[0]) =>
    writer.write(line).catch(onWriteError);
  const note = (line: StepLine) => {
    known.set(line.step, line);
    return write(line);
  };
  // Photos of which several are cut off wait once.
  let waited: Promise<boolean> | undefined;
  const outwaitAll = (own: string) => {
    const all = [...lines.values()].flatMap((line) => sentAt(line) ?? []);
    waited ??= outwait(all.reduce((one, other) => (one > other ? one : other), own));
    return waited;
  };
  const recover = async <T extends object>(
    name: string,
    { find, content }: Pick<Step<T>, 'find' | 'content'>,
  ): Promise<Found<T>> => {
    const before = known.get(name);
    const during =
      before?.state === 'sent' ? before.during : before === undefined ? earlierRun : undefined;
    const found = during ? await find({ during }) : 'nothing';
    if (typeof found === 'object' && before?.state === 'sent' && before.contradicted)
      return 'unknown';
    if (typeof found === 'object')
      await note({
        step: name,
        content: before?.content ?? content,
        state: 'done',
        answer: found.record,
      });
    return found;
  };
  return {
    resume,
    discard,
    async recover(name, find) {
      const found = known.get(name)?.state === 'sent' ? await recover(name, { find }) : 'nothing';
      return typeof found === 'object' ? found.record : undefined;
    },
    answer(name) {
      const line = known.get(name);
      return line?.state === 'done' ? line.answer : undefined;
    },
    content: (name) => known.get(name)?.content,
    mayBeStored: (name) => known.has(name) && known.get(name)?.state !== 'refused',
    refused: (name) => known.get(name)?.state === 'refused',
    begun: () => isBegun(known),
    change: write,
    /**
     * By the line that is known of the step:
     * done: its answer. refused: sent.
     * sent: sent again with its key and its preconditions where the server recognises the key, and that answer decides. Elsewhere the record, if the server has it; sent
     *   again, if it hasn't; where it can't tell, sent again if a person wants it. A photo is looked up first in any case: its bytes tell it from every other record.
     *   What may still run can't be told before its time is over. After a crash the request may be on its way: the server is asked again then.
     * none: sent; in a later run as after `sent`, since a full disk may have lost the line. It may be stored only where a line is known to be lost.
     */
    async once<T extends object>(name: string, { path, send, find, content }: Step<T>) {
      const before = known.get(name);
      if (before?.state === 'done') return before.answer as T;
      const sentBefore =
        before?.state === 'sent'
          ? before.during
          : before === undefined && isIncomplete
            ? earlierRun
            : undefined;
      const mayBeSent =
        sentBefore !== undefined || (before === undefined && earlierRun !== undefined);
      let answered: Promise<boolean> | undefined;
      const isRecognised = () => {
        answered ??= recognises(path);
        return answered;
      };
      const looks = mayBeSent && (content !== undefined || !(await isRecognised()));
      const looked = looks ? await recover(name, { find, content }) : 'nothing';
      const cutOffAt = looks && looked === 'nothing' ? sentAt(before) : undefined;
      const isLate =
        cutOffAt !== undefined && !(await isRecognised()) && (await outwaitAll(cutOffAt));
      const found = isLate ? await recover(name, { find, content }) : looked;
      if (typeof found === 'object') return found.record;
      const running =
        before?.state === 'sent' && before.mayStillRun && serverTime() < before.during.until
          ? before.during.until
          : undefined;
      const mayBeStored =
        sentBefore !== undefined && (!looks || found === 'unknown' || running !== undefined);
      const isSafe = !mayBeStored || (await isRecognised());
      if (!isSafe) await requireResend(name, running);
      const now = serverTime();
      const during = { from: mayBeStored ? sentBefore.from : now, until: endOf(now) };
      await note({ step: name, content, state: 'sent', during });
      const answer = await send(`${keyBase}-${name}`, mayBeStored).catch(async (error: unknown) => {
        if (isRefused(error) && !isSafe) throw refusedAgain(name, error);
        if (isRefused(error) && mayBeStored && !tellsOfFirstTry(error)) {
          await note(before ?? { step: name, content, state: 'sent', during, mayStillRun: false });
          throw error;
        }
        if (isRefused(error)) {
          await note({ step: name, state: 'refused' });
          throw error;
        }
        const contradicted = contradicts(error);
        await note({
          step: name,
          content,
          state: 'sent',
          during,
          mayStillRun: mayStillRun(error),
          ...(contradicted && { contradicted }),
        });
        if (contradicted || !(error instanceof CarStorageError)) throw error;
        const isLooked = content !== undefined || !(await isRecognised());
        const stored = isLooked ? await findNow(find, during) : undefined;
        if (stored === undefined) throw error;
        return stored;
      });
      await note({ step: name, content, state: 'done', answer });
      return answer;
    },
  };
}

/** Whether this try stored nothing. */
const isRefused = (error: unknown): boolean =>
  error instanceof CliError || (error instanceof CarStorageError && !error.unknownOutcome);

/** Whether the refusal of a second try with the same key says that the first one stored nothing either: otherwise it would have got the first answer. */
const tellsOfFirstTry = (error: unknown): boolean =>
  error instanceof CliError ||
  (error instanceof ApiError && rulesOutEarlierTry('POST', error.status));

/** When a request was sent whose end the process didn't live to see; undefined for any other. */
const sentAt = (line: StepLine | undefined): string | undefined =>
  line?.state === 'sent' && line.mayStillRun === undefined ? line.during.from : undefined;

/** An answer with another record: one that looks like what was sent proves nothing. */
const contradicts = (error: unknown): boolean =>
  error instanceof ProtocolError && error.contradicts;

/** The record of a request without an answer, where the server tells it at once. */
async function findNow<T>(find: Step<T>['find'], during: TimeSpan): Promise<T | undefined> {
  const found = await find({ during, retries: 0 }).catch(() => 'unknown' as const);
  return typeof found === 'object' ? found.record : undefined;
}
