/** The file of --state: the position of each resource of a watch. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError, isFull, roomHint } from '../../errors/file-system.ts';
import { isObject } from '../../input/plain-object.ts';
import { isTime } from '../bulk/cursor.ts';
import { isVersionMap } from '../bulk/recent.ts';
import { kebabName } from '../bulk/resources.ts';
import { readState, requireSameOrigin, writeState } from '../bulk/state-file.ts';
import { isOrigin, type Origin, readOrigin } from '../connection/origin.ts';
import { type Lock, lockBeside } from '../files/lock.ts';
import type { Position, Watched } from './watcher.ts';

/** A watched resource with its position. */
interface Entry {
  readonly resource: string;
  readonly within: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly since: string | null;
  readonly recent: Position['recent'];
}

/** Earlier versions watched one resource. */
type State = Origin &
  ({ readonly version: 2; readonly watches: readonly Entry[] } | ({ readonly version: 1 } & Entry));

/** The positions in the state file, if it exists. Exit 7 if the file belongs to another watch, or another run has it. */
export async function openState(context: Context, path: string, watched: readonly Watched[]) {
  const lock = await lockState(path);
  try {
    return { ...(await readPositions(context, path, watched)), close: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Two runs would each handle every change, and overwrite each other's position. */
async function lockState(path: string): Promise<Lock> {
  const lock = await lockBeside(path).catch((error: unknown) => {
    throw new CliError({
      code: 'state_unusable',
      message: `Couldn't lock ${path}: ${describeFsError(error)}.`,
      hint: isFull(error) ? roomHint : 'choose a path in a folder that you may write to',
      cause: error,
    });
  });
  if (lock) return lock;
  throw new CliError({
    code: 'already_running',
    message: `Another cs watch is running with ${path}.`,
    hint: 'wait until it ends, or use another file with --state for each watch',
  });
}

async function readPositions(context: Context, path: string, watched: readonly Watched[]) {
  const origin = await readOrigin(context);
  const about = watched.map(({ name, ...rest }) =>
    subjectOf({ resource: kebabName(name), ...rest }),
  );
  const before = await readState(path, isState, {
    setAside: true,
    hint: 'run it again with --since, such as "1 day ago": without it, changes until now are left out',
  });
  const entries = before && ('watches' in before ? before.watches : [before]);
  if (before && entries) {
    requireSameOrigin(path, before, origin);
    const then = entries.map(subjectOf);
    if (JSON.stringify(then) !== JSON.stringify(about)) {
      const filtered = then.some(({ query }) => Object.keys(query).length > 0);
      throw new CliError({
        code: 'other_origin',
        message: `${path} belongs to a watch of ${namesOf(then)}${filtered ? ' with other filters' : ''}, not of ${namesOf(about)}.`,
        hint: 'use another file with --state for each watch',
        details: { before: then, now: about },
      });
    }
  }
  return {
    positions: entries?.map(
      ({ since, recent }): Position => ({ since: since ?? undefined, recent }),
    ),
    save: (positions: readonly Position[]) => {
      const watches = about.map((one, index) => ({
        ...one,
        since: positions[index]?.since ?? null,
        recent: positions[index]?.recent ?? {},
      }));
      return writeState(path, { version: 2, ...origin, watches } satisfies State);
    },
  };
}

/** What makes it the same watch. */
const subjectOf = ({ resource, within, query }: Pick<Entry, 'resource' | 'within' | 'query'>) => ({
  resource,
  within,
  query,
});

const namesOf = (entries: readonly Pick<Entry, 'resource'>[]): string =>
  entries.map(({ resource }) => resource).join(', ');

const isState = (value: unknown): value is State =>
  isObject(value) &&
  isOrigin(value) &&
  ('watches' in value
    ? value.version === 2 && Array.isArray(value.watches) && value.watches.every(isEntry)
    : value.version === 1 && isEntry(value));

const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  typeof value.resource === 'string' &&
  Array.isArray(value.within) &&
  isObject(value.query) &&
  (value.since === null || isTime(value.since)) &&
  isVersionMap(value.recent);
