/** Where the system keeps what programs keep for a person: settings, what may be lost, and data. */
import { isAbsolute, join } from 'node:path';
import type { Io } from '../terminal/io.ts';

type Kind = 'config' | 'cache' | 'data';
type Surroundings = Pick<Io, 'env' | 'home' | 'platform'>;

interface Found {
  readonly path: string;
  /** The variable that says it, where one does. */
  readonly variable?: string;
}

const app = 'car-storage';

const xdg: Readonly<Record<Kind, string>> = { config: 'XDG_CONFIG_HOME', cache: 'XDG_CACHE_HOME', data: 'XDG_DATA_HOME' };
const below: Readonly<Record<Kind, readonly string[]>> = { config: ['.config'], cache: ['.cache'], data: ['.local', 'share'] };
const belowOnMac: typeof below = { ...below, cache: ['Library', 'Caches'], data: ['Library', 'Application Support'] };

/** The folder of this program. The variables of XDG win on every system, since only who wants them sets them. */
export function platformFolder(io: Surroundings, kind: Kind): Found {
  const variable = xdg[kind];
  const given = io.env[variable];
  // A relative one would be another folder wherever one stands; the rules of XDG have it left out.
  if (given && isAbsolute(given)) return { path: join(given, app), variable };
  if (io.platform === 'win32') return windowsFolder(io, kind);
  return { path: join(io.home, ...(io.platform === 'darwin' ? belowOnMac : below)[kind], app) };
}

/** What follows the person to another machine, and what stays: there data and what may be lost share a folder. */
function windowsFolder({ env, home }: Surroundings, kind: Kind): Found {
  if (kind === 'config')
    return env.APPDATA ? { path: join(env.APPDATA, app), variable: 'APPDATA' } : { path: join(home, 'AppData', 'Roaming', app) };
  const inside = kind === 'cache' ? ['Cache'] : [];
  return env.LOCALAPPDATA
    ? { path: join(env.LOCALAPPDATA, app, ...inside), variable: 'LOCALAPPDATA' }
    : { path: join(home, 'AppData', 'Local', app, ...inside) };
}
