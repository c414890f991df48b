/**
 * Reads the names of records that somebody wants, for completion and for work without the server.
 * Runs unattended.
 */

import { ApiError } from '../../client/errors.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { byName } from '../../facility/natural.ts';
import type { GlobalOptions } from '../config/setting-list.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { createContext } from '../framework/create-context.ts';
import type { Row } from '../output/view.ts';
import { type NameList, type Names, openNames } from '../state/names.ts';
import type { Io } from '../terminal/io.ts';
import { locationLabels } from './find-labels.ts';
import { candidateOf, type LabelRule, labelRuleOf, namesOf } from './labels.ts';
import { idsAtOnce, methodsOf, readByIds } from './methods.ts';
import { idsOf } from './operation.ts';

/** The most recently changed records come first. */
const maxNames = 1_000;
const timeLimitMs = 10_000;

/** Shorter while a person waits for a command to end. */
const commandLimitMs = 1_500;

/**
 * Called by a command that has the key of a key command in memory, since nothing else may run that.
 * Never fails.
 */
export async function refreshWanted(io: Io, settings: Settings): Promise<void> {
  try {
    const names = openNames(io, settings);
    if (names && names.wanted().length > 0 && names.reserve())
      await refresh(io, settings, names, commandLimitMs);
  } catch {
    // Best effort: the command itself has succeeded.
  }
}

/**
 * `flags`: those that choose the server, as JSON. The process that starts this one has reserved the
 * refresh.
 */
export async function refreshInBackground(io: Io, flags = '{}'): Promise<void> {
  try {
    const settings = resolveSettings(io, JSON.parse(flags) as GlobalOptions);
    const names = openNames(io, settings);
    if (names) await refresh(io, settings, names, timeLimitMs);
  } catch {
    // Nobody reads its output.
  }
}

/** Only reads. Requests end at the limit, and nothing is reported. */
async function refresh(io: Io, settings: Settings, names: Names, limitMs: number): Promise<void> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(limitMs)]);
  const silent: Settings = { ...settings, retries: 0, quiet: true, verbose: false, noInput: true };
  const { context, close } = await createContext(io, silent, {
    writeChecks: [],
    findLabels: () => async () => new Map(),
    bulk: true,
    signal,
  });
  let failed = false;
  try {
    // Somebody may want others meanwhile.
    for (let [list] = names.wanted(); list && !signal.aborted; [list] = names.wanted())
      try {
        await refreshNames(context, names, list);
      } catch {
        // The rest is left to the next command.
        if (signal.aborted) return;
        failed = true;
      } finally {
        names.forgetWish(list);
      }
    if (!failed) names.release();
  } finally {
    await close();
  }
}

async function refreshNames(context: Context, cache: Names, list: NameList): Promise<void> {
  const [resource, ...within] = list;
  const rule = labelRuleOf(resource);
  const declared: Resource | undefined = contract[resource as ResourceName];
  // Names of child records are only unique within a parent.
  if (!rule || (declared.parent && within.length === 0) || !declared.operations.list) return;
  const parents = await idsOf(context, resource as ResourceName, within);
  const rows: NamedRow[] = [];
  for await (const row of listNames(context, resource as ResourceName, parents))
    if (rows.push(row) >= maxNames) break;
  const records = rows.map(([row]) => row);
  const where = rule.within
    ? await locationLabels(context, records, { bestEffort: true })
    : () => '';
  if (rule.byName) rows.sort(([one], [other]) => byName(one, other));
  const candidates = rows.flatMap(
    ([row, names]) => candidateOf(rule, row, { names, where: where(row) }) ?? [],
  );
  cache.store(list, candidates);
}

/** A record and its names; the first one is suggested. */
type NamedRow = readonly [row: Row, names: readonly string[]];

/**
 * Records in the order of their list. A record may also have the name of another one, such as an
 * appointment the plate of its car, until it is over.
 */
async function* listNames(
  context: Context,
  resource: ResourceName,
  parents: readonly string[],
): AsyncGenerator<NamedRow> {
  const rule = labelRuleOf(resource) as LabelRule;
  const methods = methodsOf(await context.client(), resource);
  if (!rule.through) {
    for await (const row of methods.all(...parents)) yield [row, namesOf(rule, row)];
    return;
  }
  const { filter, query = {} } = rule.through;
  for await (const rows of inBatches(methods.all(...parents, query))) {
    const open = rows.filter((row) => !rule.past?.(row));
    const names = await referencedNames(
      context,
      rule.through,
      new Set(open.map((row) => row[filter])),
    );
    for (const row of rows) {
      const borrowed = open.includes(row) ? names.get(row[filter]) : undefined;
      if (borrowed) yield [row, borrowed];
      yield [row, namesOf(rule, row)];
    }
  }
}

/** Names by id. Empty without the scope. */
async function referencedNames(
  context: Context,
  { resource }: NonNullable<LabelRule['through']>,
  ids: ReadonlySet<unknown>,
): Promise<ReadonlyMap<unknown, readonly string[]>> {
  const client = await context.client();
  const found = new Map<unknown, readonly string[]>();
  const known = [...ids].filter((id): id is string => typeof id === 'string');
  try {
    for await (const row of readByIds(known, (query) => methodsOf(client, resource).all(query)))
      found.set(row.id, namesOf(labelRuleOf(resource) as LabelRule, row));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  return found;
}

/** Batches as large as the number of ids in one request. */
async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < idsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
