/** Every command that sends requests is tried on the servers of other teams. */
import { expect, test } from 'vitest';
import { serverCommands } from '../../../src/cli/framework/reference/other-servers.ts';
import { liveTree } from '../../../src/cli/framework/tree/live-tree.ts';
import { reads } from './reads.ts';
import { writes } from './writes.ts';

/** In wholes.test.ts; `open` in a test of its own, since no other server has a dashboard. */
const wholes = [
  ...[
    'today',
    'board',
    'export',
    'watch',
    'sync',
    'sync verify',
    'doctor',
    'auth login',
    'auth status',
  ],
  ...['cars photos download', 'cars photos verify', 'assets download', 'open'],
];

test('each command has a line', async () => {
  const lines = [...[...reads, ...writes].map(({ line }) => line), ...wholes];
  const commands = (await serverCommands(liveTree)).map(({ name }) => name.replace('cs ', ''));
  const hasLine = (command: string) => lines.some((line) => `${line} `.startsWith(`${command} `));
  expect(commands.filter((command) => !hasLine(command))).toEqual([]);
});
