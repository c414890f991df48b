/** The steps of an entry: each request is sent once, whatever ends the command in between. */
import { randomUUID } from 'node:crypto';
import { CarStorageError } from '../../../client/errors.ts';
import type { CallOptions } from '../../../client/options.ts';
import { CliError } from '../../errors/exit.ts';
import type { EntryWriter, Line, SentContent } from './entry.ts';

/** What an earlier run stored. `unknown`: the server has no way to tell. */
export type Found<T> = { readonly record: T } | 'nothing' | 'unknown';

interface Step<T> {
  /** Path of its POST, below `/api/v1`. */
  readonly path: string;
  /** `mayBeStored`: an earlier run may have stored it, so what it expects of the state may not hold. */
  readonly send: (idempotencyKey: string, mayBeStored: boolean) => Promise<T>;
  /** Asks the server for the record of an earlier run that was sent and got no answer. */
  readonly find: (options: CallOptions) => Promise<Found<T>>;
  /** Kept with the step, to compare it with what is stored. */
  readonly content?: SentContent;
}

export interface Steps {
  /** Sends the request of a step, or returns what an earlier run stored. Throws the error of `send`, which leaves the step open. */
  once<T extends object>(name: string, step: Step<T>): Promise<T>;
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
  /** Replaces the plan, of which nothing was stored. */
  change(plan: object): Promise<void>;
}

/** For a run that nothing would finish, such as that of the demo. */
export const withoutJournal: Steps = {
  once: (_name, { send }) => send(randomUUID(), false),
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
  readonly lines?: ReadonlyMap<string, Line>;
  /** Called where the server can't tell whether a step was carried out; throws if it may not be sent again. */
  readonly requireResend: (step: string, path: string) => Promise<void>;
  /** Called when a line couldn't be written: the run goes on, since its requests are more important than its journal. */
  readonly onWriteError: (error: unknown) => void;
}

export interface JournalSteps extends Steps {
  /** Whether something is stored, or may be. */
  begun(): boolean;
}

export function journalSteps({ writer, keyBase, resume, lines, requireResend, onWriteError }: StepsOptions): JournalSteps {
  const known = new Map(lines);
  // One at a time: photos are sent in parallel.
  let writing = Promise.resolve();
  const write = (line: Parameters<EntryWriter['write']>[0]) => {
    writing = writing.then(() => writer.write(line)).catch(onWriteError);
    return writing;
  };
  const note = (line: Line) => {
    known.set(line.step, line);
    return write(line);
  };
  return {
    resume,
    answer(name) {
      const line = known.get(name);
      return line?.state === 'done' ? line.answer : undefined;
    },
    content: (name) => known.get(name)?.content,
    mayBeStored: (name) => known.has(name) && known.get(name)?.state !== 'refused',
    refused: (name) => known.get(name)?.state === 'refused',
    begun: () => [...known.values()].some(({ state }) => state !== 'refused'),
    change: (plan) => write({ plan }),
    async once<T extends object>(name: string, { path, send, find, content }: Step<T>) {
      const before = known.get(name);
      if (before?.state === 'done') return before.answer as T;
      let mayBeStored = false;
      if (before?.state === 'sent') {
        const found = await find({});
        if (found === 'unknown') {
          await requireResend(name, path);
          mayBeStored = true;
        } else if (found !== 'nothing') {
          await note({ step: name, content, state: 'done', answer: found.record });
          return found.record;
        }
      }
      await note({ step: name, content, state: 'sent' });
      const answer = await send(`${keyBase}-${name}`, mayBeStored).catch(async (error: unknown) => {
        const isRefused = error instanceof CliError || (error instanceof CarStorageError && !error.unknownOutcome);
        if (isRefused) await note({ step: name, state: 'refused' });
        const stored = isRefused || !(error instanceof CarStorageError) ? undefined : await findNow(find);
        if (stored === undefined) throw error;
        return stored;
      });
      await note({ step: name, content, state: 'done', answer });
      return answer;
    },
  };
}

/** The record of a request without an answer, where the server tells it at once. */
async function findNow<T>(find: Step<T>['find']): Promise<T | undefined> {
  const found = await find({ retries: 0 }).catch(() => 'unknown' as const);
  return typeof found === 'object' ? found.record : undefined;
}
