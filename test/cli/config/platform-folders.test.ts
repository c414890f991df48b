import { expect, test } from 'vitest';
import { platformFolder } from '../../../src/cli/config/platform-folders.ts';

const kinds = ['config', 'cache', 'data'] as const;
const paths = (platform: NodeJS.Platform, env: Record<string, string>) =>
  kinds.map((kind) => platformFolder({ platform, env, home: '/home/ann' }, kind).path);
const variables = (platform: NodeJS.Platform, env: Record<string, string>) =>
  kinds.map((kind) => platformFolder({ platform, env, home: '/home/ann' }, kind).variable);

test.each([
  ['linux', {}, ['.config/car-storage', '.cache/car-storage', '.local/share/car-storage']],
  [
    'darwin',
    {},
    [
      '.config/car-storage',
      'Library/Caches/car-storage',
      'Library/Application Support/car-storage',
    ],
  ],
  [
    'win32',
    {},
    ['AppData/Roaming/car-storage', 'AppData/Local/car-storage/Cache', 'AppData/Local/car-storage'],
  ],
] as const)('%s: below the home of the person', (platform, env, below) => {
  expect(paths(platform, env)).toEqual(below.map((path) => `/home/ann/${path}`));
  expect(variables(platform, env)).toEqual([undefined, undefined, undefined]);
});

test('Windows has variables for them', () => {
  const env = { APPDATA: '/roaming', LOCALAPPDATA: '/local' };
  expect(paths('win32', env)).toEqual([
    '/roaming/car-storage',
    '/local/car-storage/Cache',
    '/local/car-storage',
  ]);
  expect(variables('win32', env)).toEqual(['APPDATA', 'LOCALAPPDATA', 'LOCALAPPDATA']);
});

test.each(['linux', 'darwin', 'win32'] as const)(
  '%s: absolute XDG variables override the defaults',
  (platform) => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/k', XDG_DATA_HOME: '/d' };
    expect(paths(platform, { ...env, APPDATA: '/roaming', LOCALAPPDATA: '/local' })).toEqual([
      '/c/car-storage',
      '/k/car-storage',
      '/d/car-storage',
    ]);
    expect(variables(platform, env)).toEqual([
      'XDG_CONFIG_HOME',
      'XDG_CACHE_HOME',
      'XDG_DATA_HOME',
    ]);
    expect(
      paths(platform, { XDG_CONFIG_HOME: 'c', XDG_CACHE_HOME: 'k', XDG_DATA_HOME: '' }),
    ).toEqual(paths(platform, {}));
  },
);
