/** The platform's folders for configuration, cache, data, and what commands have begun. */
import { isAbsolute, join } from 'node:path';
import type { Io } from '../terminal/io.ts';

type Kind = 'config' | 'cache' | 'data' | 'state';
type Environment = Pick<Io, 'env' | 'home' | 'platform'>;

interface PlatformFolder {
  readonly path: string;
  /** The environment variable that sets it, if any. */
  readonly variable?: string;
}

const app = 'car-storage';

const xdg: Readonly<Record<Kind, string>> = {
  config: 'XDG_CONFIG_HOME',
  cache: 'XDG_CACHE_HOME',
  data: 'XDG_DATA_HOME',
  state: 'XDG_STATE_HOME',
};
const below: Readonly<Record<Kind, readonly string[]>> = {
  config: ['.config'],
  cache: ['.cache'],
  data: ['.local', 'share'],
  state: ['.local', 'state'],
};
const belowOnMac: typeof below = {
  ...below,
  cache: ['Library', 'Caches'],
  data: ['Library', 'Application Support'],
  state: ['Library', 'Application Support'],
};

/**
 * The folder of `cs`. XDG variables win on every platform, because they are only set on purpose.
 */
export function platformFolder(io: Environment, kind: Kind): PlatformFolder {
  const variable = xdg[kind];
  const given = io.env[variable];
  // The XDG specification ignores relative paths.
  if (given && isAbsolute(given)) return { path: join(given, app), variable };
  if (io.platform === 'win32') return windowsFolder(io, kind);
  return { path: join(io.home, ...(io.platform === 'darwin' ? belowOnMac : below)[kind], app) };
}

/** Configuration roams with the person; the others stay on the machine and share a folder. */
function windowsFolder({ env, home }: Environment, kind: Kind): PlatformFolder {
  if (kind === 'config')
    return env.APPDATA
      ? { path: join(env.APPDATA, app), variable: 'APPDATA' }
      : { path: join(home, 'AppData', 'Roaming', app) };
  const inside = kind === 'cache' ? ['Cache'] : kind === 'state' ? ['State'] : [];
  return env.LOCALAPPDATA
    ? { path: join(env.LOCALAPPDATA, app, ...inside), variable: 'LOCALAPPDATA' }
    : { path: join(home, 'AppData', 'Local', app, ...inside) };
}

/** For what can be deleted at any time. */
export const cacheFolder = (io: Environment): string =>
  io.env.CS_CACHE_DIR || platformFolder(io, 'cache').path;

/** What commands have begun: `CS_STATE_DIR`, or the platform's folder. */
export const stateFolder = (io: Environment): string =>
  io.env.CS_STATE_DIR || platformFolder(io, 'state').path;
