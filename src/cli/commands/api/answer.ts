/** Prints the answer of `cs api`: records like every other command, anything else as JSON. */

import type { JsonAnswer } from '../../../client/answers.ts';
import type { ResourceName } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { isObject } from '../../output/format.ts';
import { toJson } from '../../output/json.ts';
import type { Row, View } from '../../output/view.ts';
import { referencesIn } from '../../resources/operation.ts';

/** Before a write: exit 2 for fields and columns that its answer doesn't have, or that can't be known in advance. */
export async function prepareAnswer(
  { output, settings }: Context,
  operation: Operation | undefined,
): Promise<void> {
  const picked = settings.fields ?? settings.columns;
  if (!operation && picked)
    throw usage(
      `${picked.origin}: the fields of this path's answer aren't known in advance.`,
      'leave the names out, and filter with --jq',
    );
  if (!operation) return;
  const { deletedView } = await import('../../resources/view.ts');
  const view = await viewFor(operation);
  await output.prepare(operation.verb === 'delete' ? deletedView(view) : view);
}

/** Prints the content of `data`: the records of a list, or a record. Anything else is printed whole. */
export async function showAnswer(
  { output }: Context,
  { body }: JsonAnswer,
  operation: Operation | undefined,
): Promise<void> {
  if (isList(body)) {
    const { page = 1, total = 'unknown' } = body as { page?: number; total?: number };
    return output.list({
      view: await viewFor(operation),
      records: body.data,
      total,
      pastEnd: page > 1,
    });
  }
  if (isObject(body) && isObject(body.data))
    return output.record(body.data, operation && referencesIn(operation.resource));
  return output.styled(body, toJson(body));
}

const isList = (body: unknown): body is Row & { data: Row[] } =>
  isObject(body) && Array.isArray(body.data) && body.data.every(isObject);

/** The view of the resource; for an unknown path, all fields of the records. */
export async function viewFor(operation: Operation | undefined): Promise<View> {
  if (!operation) return { one: 'record', many: 'records', columns: [], title: () => '' };
  const { viewOf } = await import('../../resources/view.ts');
  const { name }: Resource = operation.resource;
  return viewOf(name as ResourceName, { emptyHint: '' });
}
