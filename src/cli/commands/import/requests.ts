/** Turns rows into create and update requests, checked with the server's rules. */

import { isUuid } from '../../../client/ids.ts';
import type { ResourceName } from '../../../contract/contract.ts';
import { type Operation, operationsOf } from '../../../contract/operations.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { sentence } from '../../errors/report.ts';
import type { Row } from '../../output/view.ts';
import { readOnlyFields } from '../../resources/create.ts';
import { bodyIssues } from '../../resources/fields.ts';
import { resolveId } from '../../resources/lookup.ts';
import { parentsOf, referencesIn } from '../../resources/operation.ts';
import { type LookupScope, lookupInScope, resolveInScope, siteOf } from '../../resources/scope.ts';
import { pathsOf, suggestion } from './columns.ts';

export interface RowRequest {
  readonly operation: Operation;
  /** Ids or names of the parents, outermost first, and of the record itself for an update. */
  readonly ids: readonly string[];
  readonly body: Row;
  /** With --upsert-by, the server decides which of two requests it is; this is the first valid one. */
  readonly choice?: Choice;
}

interface Choice {
  /** Of the field that names the record. */
  readonly value: string;
  readonly creating: Made;
  /** Its ids lack the record's own. */
  readonly changing: Made;
}

/** The request of a row, or what is wrong with it. */
export type Made = RowRequest | { readonly issues: readonly Issue[] };

interface Rules {
  /** `either`: a row with an id updates that record. `update`: without an id, which the caller adds. */
  readonly as: 'create' | 'update' | 'either';
  /** Ignore read-only fields. */
  readonly skipReadOnly: boolean;
}

/** Works without the server. Exit 2 for a resource without create. */
export function createRowParser(
  resource: Resource,
  { as, skipReadOnly }: Rules,
): (value: Row) => Made {
  const operations = operationsOf(resource);
  const creating = operations.find(({ verb }) => verb === 'create');
  const update = as !== 'create';
  const changing = update ? operations.find(({ verb }) => verb === 'update') : undefined;
  if (!creating && !changing)
    throw usage(
      sentence(`${resource.plural} can't be imported`),
      'choose another resource from `cs schema`',
    );
  if (update && !changing)
    throw usage(sentence(`${resource.plural} can't be updated`), 'leave --update out');
  const parent = resource.parent?.field;
  const { known } = pathsOf(resource);
  const readOnlyIn = {
    create: readOnlyFields(resource, 'create'),
    update: readOnlyFields(resource, 'update'),
  };
  const withClosest = (issue: Issue): Issue =>
    issue.rule === 'unknown'
      ? { ...issue, message: `${issue.message}${suggestion(issue.path, known)}` }
      : issue;

  return (value) => {
    const body = { ...value };
    const ids: string[] = [];
    const issues: Issue[] = [];
    const take = (field: string): boolean => {
      if (typeof body[field] !== 'string' || body[field] === '') return false;
      ids.push(body[field]);
      delete body[field];
      return true;
    };
    if (parent !== undefined && !take(parent)) {
      const message = 'is required: it names the record that this one belongs to';
      issues.push({ path: parent, rule: 'required', message });
      delete body[parent];
    }
    const changes = changing && (as === 'update' || take('id'));
    const operation = changes ? changing : creating;
    if (!operation) return { issues: [{ path: 'id', rule: 'required', message: 'is required' }] };
    const readOnly = readOnlyIn[changes ? 'update' : 'create'];
    // Without the record that it names, the row would be a second one.
    if (skipReadOnly)
      for (const field of readOnly) if (field !== 'id' || !body.id) delete body[field];
    issues.push(...bodyIssues(operation, body, readOnly).map(withClosest));
    return issues.length > 0 ? { issues } : { operation, ids, body };
  };
}

/** Replaces the names in a request by ids. `early`: leaves names of records that the import itself may create. */
export type Resolve = (request: RowRequest, early?: boolean) => Promise<RowRequest>;

/** Looks each name up once. An ambiguous name is an error: an import never prompts for a row. */
export function createNameResolver(context: Context, resource: Resource): Resolve {
  const quiet: Context = { ...context, interactive: false };
  const found = new Map<string, Promise<string>>();
  const references = referencesIn(resource);
  const chain = parentsOf(resource).map((parent) => parent.resource);

  function idOf(name: ResourceName, text: string, scope: LookupScope): Promise<string> {
    if (isUuid(text)) return Promise.resolve(text);
    const wanted = lookupInScope(name, text, scope);
    const key = JSON.stringify(wanted);
    const known = found.get(key);
    if (known) return known;
    const finding = resolveId(quiet, wanted);
    found.set(key, finding);
    finding.catch(() => {
      // An earlier row may create the record that a later one names.
      if (name === resource.name) found.delete(key);
    });
    return finding;
  }

  return async ({ ids, body, ...request }, early = false) => {
    const resolved: string[] = [];
    for (const [index, text] of ids.entries())
      resolved.push(chain[index] ? await idOf(chain[index], text, {}) : text);
    const own = ids[chain.length];
    const scope: LookupScope = {
      parents: resolved.slice(0, chain.length),
      site:
        own === undefined ? undefined : () => siteOf(context, resource.name as ResourceName, [own]),
      locationFlag: 'locationId' in references ? 'locationId' : undefined,
    };
    const named = Object.entries(references).flatMap(([field, reference]) => {
      const value: unknown = body[field];
      return value === undefined || value === null || (early && reference === resource.name)
        ? []
        : [{ field, references: reference as ResourceName, value }];
    });
    const found = await resolveInScope(named, scope, ({ references: name, value }, near) => {
      const one = async (text: unknown) =>
        typeof text === 'string' && text !== '' ? idOf(name, text, near) : text;
      return Array.isArray(value) ? Promise.all(value.map(one)) : one(value);
    });
    return { ...request, ids: resolved, body: { ...body, ...found } };
  };
}
