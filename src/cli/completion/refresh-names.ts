/** Reads the names of a resource's records and keeps them for completion. Runs by itself, with nobody to answer or to read. */
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { createContext } from '../context.ts';
import type { Io } from '../io.ts';
import { callings } from '../names/callings.ts';
import type { Row } from '../render/view.ts';
import { methodsOf } from '../resources/methods.ts';
import { idsOf } from '../resources/operation.ts';
import { type GlobalOptions, resolveSettings, type Settings } from '../settings/settings.ts';
import { sanitize } from '../text.ts';
import type { Candidate } from './complete.ts';
import { namesFile, namesFolder, takeAsked, writeNames } from './names-cache.ts';

/** More would neither be read by a person nor come in time; those that changed last come first. */
const most = 1_000;
const timeLimitMs = 10_000;

/** Less, where a person waits for the end of a command. */
const patienceMs = 1_500;

/** Reads what a Tab wanted while only a command could have given the key, which has been run by now. Never fails. */
export async function refreshAsked(io: Io, settings: Settings): Promise<void> {
  try {
    const folder = namesFolder(io, settings);
    for (const what of folder === undefined ? [] : takeAsked(folder)) await refreshNames(io, JSON.parse(what), patienceMs);
  } catch {
    // They are a comfort; the command has done its work.
  }
}

/** `given`: the resource, the global flags of the line as JSON, and what the records are called that it lies below. */
export async function refreshNames(io: Io, given: readonly string[], limitMs = timeLimitMs): Promise<void> {
  const [resource = '', options = '{}', ...within] = given;
  const settings = resolveSettings(io, JSON.parse(options) as GlobalOptions);
  const folder = namesFolder(io, settings);
  const calling = callings[resource as ResourceName];
  const declared: Resource | undefined = contract[resource as ResourceName];
  // Records below others have names only within them.
  if (folder === undefined || !calling || (declared.parent && within.length === 0) || !declared.operations.list) return;
  const { context, close } = createContext(io, { ...settings, quiet: true, noInput: true });
  try {
    const methods = methodsOf(await context.client(), resource as ResourceName);
    const parents = await idsOf(context, resource as ResourceName, within);
    const names = new Map<string, Candidate>();
    for await (const row of methods.all(...parents, {}, { retries: 0, signal: AbortSignal.timeout(limitMs) })) {
      const [value, ...also] = calling.names(row).filter((name): name is string => typeof name === 'string' && name !== '');
      if (value !== undefined && !names.has(value)) names.set(value, { value, about: aboutOf(row, value), also });
      if (names.size >= most) break;
    }
    writeNames(folder, namesFile(resource, within), [...names.values()], crypto.randomUUID());
  } finally {
    await close();
  }

  function aboutOf(row: Row, value: string): string {
    const about = calling?.detail?.(row) || calling?.label(row);
    return typeof about === 'string' && about !== value ? sanitize(about) : '';
  }
}
