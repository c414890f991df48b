/** Records what a run has written, for the error report when its result can't be printed. */
import type { WriteRequest, WriteResult } from '../../client/client.ts';
import { CarStorageError } from '../../client/errors.ts';
import type { Io } from './io.ts';
import type { Stored } from './run.ts';

/** For what a command has done itself, without a request. */
export function recordWrite(io: Io, stored: Stored): void {
  io.run.ledger.begun += 1;
  io.run.ledger.stored.push(stored);
}

export function recordRequest(io: Io): void {
  io.run.ledger.begun += 1;
}

/**
 * A replayed answer stored nothing now, and is of the time when an earlier run stored the record.
 */
export function recordResult(io: Io, result: WriteResult): void {
  const { stored, failed, unknown } = io.run.ledger;
  const did = describeRequest(result);
  if ('answer' in result) {
    const id = recordIn(result.answer)?.id;
    if ('replayed' in result.answer && result.answer.replayed)
      io.run.notes.push({
        kind: 'replayed',
        about: typeof id === 'string' ? `${result.path}/${id}` : did,
      });
    stored.push({ did, ...(typeof id === 'string' && !did.endsWith(id) && { id }) });
  } else if (result.error instanceof CarStorageError && !result.error.unknownOutcome)
    failed.push({ id: did, code: result.error.code, message: result.error.message });
  else unknown.push(did);
}

const describeRequest = ({ method, path }: WriteRequest): string => `${method} ${path}`;

/** The record in an answer, if any. */
export function recordIn(answer: {
  readonly body: unknown;
}): { readonly id?: unknown } | undefined {
  const { data } = (answer.body ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null ? data : undefined;
}
