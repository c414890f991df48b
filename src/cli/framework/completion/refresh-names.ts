/** Reads the names of a resource's records and keeps them for completion. Runs by itself, with nobody to answer or to read. */

import { contract, type ResourceName } from '../../../contract/contract.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { GlobalOptions } from '../../config/setting-list.ts';
import { resolveSettings, type Settings } from '../../config/settings.ts';
import { idsOf } from '../../crud/operation.ts';
import { type LabelRule, labelRules } from '../../lookup/labels.ts';
import type { Row } from '../../output/view.ts';
import type { Io } from '../../terminal/io.ts';
import { sanitize } from '../../terminal/text.ts';
import type { Context } from '../context.ts';
import { createContext } from '../create-context.ts';
import type { Candidate } from './complete.ts';
import { foundNames } from './found-names.ts';
import { findAsked, namesFile, namesFolder, writeNames } from './names-cache.ts';

/** More would neither be read by a person nor come in time; those that changed last come first. */
const most = 1_000;
const timeLimitMs = 10_000;

/** Less, where a person waits for the end of a command. */
const patienceMs = 1_500;

/** Whose names: a resource, and what the records are called that they lie below. */
type Whose = readonly [resource: string, ...within: string[]];

/** Reads what Tabs wanted while only a command could have given the key, which has been run by now. Never fails. */
export async function refreshAsked(io: Io, settings: Settings): Promise<void> {
  try {
    const folder = namesFolder(io, settings);
    const asked = folder === undefined ? [] : findAsked(folder);
    if (folder === undefined || asked.length === 0) return;
    await reading(io, settings, patienceMs, async (context, signal) => {
      for (const { what, forget } of asked) {
        // What time was left for is tried once. The rest is for the next command.
        if (signal.aborted) return;
        try {
          await refreshNames(context, folder, JSON.parse(what));
        } catch {
          // The others may be had all the same.
        }
        forget();
      }
    });
  } catch {
    // They are a comfort; the command has done its work.
  }
}

/** `given`: the resource, the global flags of the line as JSON, and what the records are called that it lies below. */
export async function refreshInBackground(io: Io, given: readonly string[]): Promise<void> {
  const [resource = '', flags = '{}', ...within] = given;
  const settings = resolveSettings(io, JSON.parse(flags) as GlobalOptions);
  const folder = namesFolder(io, settings);
  if (folder !== undefined) await reading(io, settings, timeLimitMs, (context) => refreshNames(context, folder, [resource, ...within]));
}

/** All that is read takes no longer than the limit, and nothing of it is told. */
async function reading(
  io: Io,
  settings: Settings,
  limitMs: number,
  read: (context: Context, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(limitMs)]);
  const silent: Settings = { ...settings, retries: 0, quiet: true, verbose: false, noInput: true };
  const { context, close } = createContext(io, silent, signal);
  try {
    await read(context, signal);
  } finally {
    await close();
  }
}

async function refreshNames(context: Context, folder: string, [resource, ...within]: Whose): Promise<void> {
  const calling = labelRules[resource as ResourceName];
  const declared: Resource | undefined = contract[resource as ResourceName];
  // Records below others have names only within them.
  if (!calling || (declared.parent && within.length === 0) || !declared.operations.list) return;
  const parents = await idsOf(context, resource as ResourceName, within);
  const names = new Map<string, Candidate>();
  for await (const [row, [value, ...also]] of foundNames(context, resource as ResourceName, parents)) {
    if (value !== undefined && !names.has(value)) names.set(value, { value, about: aboutOf(calling, row, value), also });
    if (names.size >= most) break;
  }
  writeNames(folder, namesFile(resource, within), [...names.values()], crypto.randomUUID());
}

function aboutOf({ detail, label }: LabelRule, row: Row, value: string): string {
  const about = detail?.(row) || label(row);
  return typeof about === 'string' && about !== value ? sanitize(about) : '';
}
