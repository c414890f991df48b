/** An answer that repeats an earlier one: nothing new was stored, and what was stored then may be gone since. */
import type { Client, WriteResult } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { contract } from '../../contract/contract.ts';
import { matchesPath, walk } from '../../contract/operations.ts';
import { CliError } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { ledgerOf, recordOf } from './ledger.ts';

/** The code of the failure below. */
export const deletedSince = 'deleted_since';

/** Keeps what was there before to be told. Exit 7 where the record was deleted since: then nothing is stored that the answer speaks of. */
export async function checkReplay(io: Io, client: Client, result: WriteResult): Promise<void> {
  if (!('answer' in result) || !('replayed' in result.answer) || !result.answer.replayed) return;
  const id = recordOf(result.answer)?.id;
  const path = `${result.path}/${id}`;
  const reading = [...walk(contract)].find((operation) => operation.verb === 'get' && matchesPath(operation.path, path));
  if (typeof id !== 'string' || !reading) {
    ledgerOf(io).replayed.push(`${result.method} ${result.path}`);
    return;
  }
  const { singular } = reading.resource;
  // Without an answer it isn't known to be gone.
  const gone = await client.transport.request({ method: 'GET', path }).then(
    () => false,
    (error) => error instanceof ApiError && error.status === 404 && error.code !== 'route_not_found',
  );
  if (gone)
    throw new CliError({
      code: deletedSince,
      message: `An earlier run with the same idempotency key stored the ${singular} ${id}, which has been deleted since. Nothing new was stored.`,
      hint: 'give another --idempotency-key to store it again',
      details: { id },
      exitCode: 7,
    });
  ledgerOf(io).replayed.push(`${singular} ${id}`);
}

/** What was there before, in a sentence; each record is told once. */
export function replayNote(io: Io): string {
  const ledger = ledgerOf(io);
  const [first, ...more] = ledger.replayed;
  ledger.replayed = [];
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return `Already done with the same idempotency key (${first}${others}); nothing new was stored.`;
}
