/** Shows what an answer of `cs api` holds: records as every other command does, anything else as JSON. */

import type { JsonAnswer } from '../../../client/answers.ts';
import type { ResourceName } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import { referencesIn } from '../../crud/operation.ts';
import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { isObject } from '../../output/format.ts';
import { toJson } from '../../output/json.ts';
import { type Row, resultView, type View } from '../../output/view.ts';
import { sanitize } from '../../terminal/text.ts';

/** Before a write: refuses fields and columns that its answer will not have. Exit 2, also where that cannot be known. */
export async function prepareAnswer({ output, settings }: Context, operation: Operation | undefined, whole: boolean): Promise<void> {
  if (whole) return output.prepare(resultView('whole answer', ['status', 'headers', 'body']));
  const picked = settings.fields ?? settings.columns;
  if (!operation && picked)
    throw usage(`${picked.origin}: what this path answers is not known before it is sent.`, 'leave the names out, and pick with --jq');
  if (!operation) return;
  const { deletedView } = await import('../../crud/view.ts');
  const view = await viewFor(operation);
  await output.prepare(operation.verb === 'delete' ? deletedView(view) : view);
}

/** The answer without its frame: a list's records, a record, or all of it where it has none. */
export async function showAnswer({ output }: Context, { body }: JsonAnswer, operation: Operation | undefined): Promise<void> {
  if (isList(body)) {
    const { data: records, total, page } = body;
    return output.list({ view: await viewFor(operation), records, total, pastEnd: page > 1 });
  }
  if (isObject(body) && isObject(body.data)) return output.record(body.data, operation && referencesIn(operation.resource));
  return output.painted(body, toJson(body));
}

/** Status, headers and all of the body, as they came. */
export async function showWhole({ output }: Context, { status, headers, body }: JsonAnswer): Promise<void> {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`));
  await output.painted({ status, headers, body }, `${[status, ...lines.map(sanitize)].join('\n')}\n\n${toJson(body)}`);
}

/** Every record, as it comes in. */
export async function showAll({ output }: Context, records: AsyncIterable<Row>, operation: Operation | undefined): Promise<void> {
  await output.list({ view: await viewFor(operation), records });
}

interface List {
  readonly data: Row[];
  readonly page: number;
  readonly total: number;
}

export const isList = (body: unknown): body is List =>
  isObject(body) && Array.isArray(body.data) && Number.isInteger(body.page) && Number.isInteger(body.total) && body.data.every(isObject);

/** That of the resource, where the path is one of the contract; otherwise the fields that the records have. */
async function viewFor(operation: Operation | undefined): Promise<View> {
  if (!operation) return { one: 'record', many: 'records', columns: [], title: () => '' };
  const { viewOf } = await import('../../crud/view.ts');
  const { name }: Resource = operation.resource;
  return viewOf(name as ResourceName, { emptyHint: '' });
}
