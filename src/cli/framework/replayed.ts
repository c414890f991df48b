/** Replayed answers of repeated idempotency keys: nothing new was stored, and the record may have been deleted since. */
import type { Client, WriteResult } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { contract } from '../../contract/contract.ts';
import { matchesPath, walk } from '../../contract/operations.ts';
import { CliError } from '../errors/exit.ts';
import type { Io } from '../terminal/io.ts';
import { recordIn } from '../terminal/ledger.ts';

/** The code of the error below. */
export const deletedSince = 'deleted_since';

/** Notes replayed records. Exit 7 where the record has been deleted since. */
export async function checkReplay(io: Io, client: Client, result: WriteResult): Promise<void> {
  if (!('answer' in result) || !('replayed' in result.answer) || !result.answer.replayed) return;
  const id = recordIn(result.answer)?.id;
  const path = `${result.path}/${id}`;
  const readOperation = [...walk(contract)].find(
    (operation) => operation.verb === 'get' && matchesPath(operation.path, path),
  );
  if (typeof id !== 'string' || !readOperation) {
    io.run.notes.push({ kind: 'replayed', about: `${result.method} ${result.path}` });
    return;
  }
  const { singular } = readOperation.resource;
  // Only a clear 404 means deleted.
  const deleted = await client.transport.request({ method: 'GET', path }).then(
    () => false,
    (error) =>
      error instanceof ApiError && error.status === 404 && error.code !== 'route_not_found',
  );
  if (deleted)
    throw new CliError({
      code: deletedSince,
      message: `An earlier run with the same idempotency key stored the ${singular} ${id}, which has been deleted since. Nothing new was stored.`,
      hint: 'use another --idempotency-key to store it again',
      details: { id },
    });
  io.run.notes.push({ kind: 'replayed', about: `${singular} ${id}` });
}
