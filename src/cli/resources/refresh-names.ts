/**
 * Reads the names of records that somebody wants, for completion and for work without the server.
 * Runs unattended.
 */

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
import { candidateOf, labelRuleOf } from './labels.ts';
import { methodsOf } from './methods.ts';
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
  const [named, ...within] = list;
  // An appointment goes by the plate of its car.
  const resource = labelRuleOf(named)?.through?.resource ?? (named as ResourceName);
  const rule = labelRuleOf(resource);
  const declared: Resource | undefined = contract[resource];
  // Names of child records are only unique within a parent.
  if (!rule || (declared.parent && within.length === 0) || !declared.operations.list) return;
  const parents = await idsOf(context, resource, within);
  const rows: Row[] = [];
  for await (const row of methodsOf(await context.client(), resource).all(...parents))
    if (rows.push(row) >= maxNames) break;
  const where = rule.within ? await locationLabels(context, rows, { bestEffort: true }) : () => '';
  if (rule.byName) rows.sort(byName);
  cache.store(
    list,
    rows.flatMap((row) => candidateOf(rule, row, where(row)) ?? []),
  );
}
