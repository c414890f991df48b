/** A record that a request names by its id. Reading it first adds a name or a check, so a server that can't show it doesn't stop the request. */

import type { Context } from '../../context.ts';
import { isMissing, isUnreadable } from '../../errors/missing-path.ts';
import type { Row } from '../../output/view.ts';
import { idIn, type LookupRequest, resolveRecord } from '../../resources/lookup.ts';
import { methodsOf } from '../../resources/methods.ts';

/**
 * The record, or undefined with a warning for an id that the server can't show. A record that doesn't exist is an error. `check` completes
 * "Couldn't check …".
 */
export async function resolveNamedById(
  context: Context,
  wanted: LookupRequest,
  check: string,
): Promise<Row | undefined> {
  return resolveRecord(context, wanted).catch(async (error: unknown) => {
    if (
      idIn(wanted.text) === undefined ||
      !isUnreadable(error) ||
      (isMissing(error) && !(await lacksList(context, wanted)))
    )
      throw error;
    context.warn(
      `Couldn't check ${check}: ${error.message.replace(/\.$/, '')}. The server decides.`,
    );
    return undefined;
  });
}

/** Tells a missing path from a missing record. */
async function lacksList(context: Context, { resource }: LookupRequest): Promise<boolean> {
  const methods = methodsOf(await context.client(), resource);
  return methods.list({ limit: 1 }).then(
    () => false,
    (error: unknown) => isUnreadable(error),
  );
}
