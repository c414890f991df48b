/** What a run has written, for whoever must say so when the result can't be printed, or when it was there before. */
import type { WriteRequest, WriteResult } from '../../client/client.ts';
import { CarStorageError } from '../../client/errors.ts';
import type { Io } from '../terminal/io.ts';

export interface Stored {
  /** `POST /cars`, or in words what was done. */
  readonly did: string;
  readonly id?: string;
  /** What to do when its result can't be printed; more than to look. */
  readonly hint?: string;
}

interface NotStored {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** One for each run, since failures are told where the command is no longer known. */
export interface Ledger {
  /** Writes that were sent, or were about to be. */
  begun: number;
  readonly stored: Stored[];
  readonly failed: NotStored[];
  /** Writes of which no answer says what came of them. */
  readonly unknown: string[];
  /** Records that an earlier run with the same idempotency key stored, until they are told. */
  replayed: string[];
}

const ledgers = new WeakMap<Io, Ledger>();

export function ledgerOf(io: Io): Ledger {
  const ledger = ledgers.get(io) ?? { begun: 0, stored: [], failed: [], unknown: [], replayed: [] };
  ledgers.set(io, ledger);
  return ledger;
}

/** Notes what a command has done itself, without a request. */
export function recordWrite(io: Io, stored: Stored): void {
  const ledger = ledgerOf(io);
  ledger.begun += 1;
  ledger.stored.push(stored);
}

export function noteBegun(io: Io): void {
  ledgerOf(io).begun += 1;
}

export function noteResult(io: Io, result: WriteResult): void {
  const { stored, failed, unknown } = ledgerOf(io);
  const did = didOf(result);
  if ('answer' in result) {
    const id = recordOf(result.answer)?.id;
    stored.push({ did, ...(typeof id === 'string' && !did.endsWith(id) && { id }) });
  } else if (result.error instanceof CarStorageError && !result.error.unknownOutcome)
    failed.push({ id: did, code: result.error.code, message: result.error.message });
  else unknown.push(did);
}

const didOf = ({ method, path }: WriteRequest): string => `${method} ${path}`;

/** The record of an answer, where it holds one. */
export function recordOf(answer: { readonly body: unknown }): { readonly id?: unknown } | undefined {
  const { data } = (answer.body ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null ? data : undefined;
}
