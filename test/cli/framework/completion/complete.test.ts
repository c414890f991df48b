import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { builtInShell } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

const complete = async (...words: string[]) => {
  const { code, stdout, stderr } = await cs(['__complete', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]);
};

describe('candidates for the next word', () => {
  test.each([
    ['dr', 'dropoff'],
    ['cars ev', 'events'],
    ['car events ', 'list', 'get', 'log'],
    ['parking spots l', 'list'],
    ['cars list --sta', '--status'],
    ['cars list --status ', 'expected', 'stored', 'checked_out', 'archived'],
    ['cars list --status st', 'stored'],
    ['cars list --status=st', '--status=stored'],
    ['cars list -o ndj', 'ndjson'],
    ['cars list -- --sta'],
    ['cars list --q '],
    ['cars list --json nickn'],
    ['cars list --json=nickn', '--json=nickname'],
    ['cars list --json=id,nickn', '--json=id,nickname'],
    // What is in the list already.
    ['cars list --json nickname,nickn'],
    ['cars list --columns id,nickn', 'id,nickname'],
    ['cars list --columns pla', 'plate'],
    ['--base-url http://localhost cars lis', 'list'],
    ['completion ', 'install', 'bash', 'zsh', 'fish'],
    ['cars get em'],
    ['nothing of this '],
    ['help exit', 'exit-codes'],
    ['help parking ', 'zones', 'spots', 'assignments'],
    ['config set color ', 'auto', 'always', 'never'],
    ['config set timeout '],
    ['templates prune --channel s', 'sms', 'social'],
    ['schema parking-s', 'parking-spots'],
    ['schema parking-spots up', 'update'],
    ['explain parking_spot', 'parking_spot_occupied'],
    ['sync cars cust', 'customers'],
    ['export car-', 'car-events', 'car-photos'],
    ['watch cars cust', 'customers'],
    ['api PA', 'PATCH'],
    ['api /event-t', '/event-types'],
    ['api POST /event-t'],
    ['api POST /cars/{Greta}/e', '/cars/{Greta}/events'],
    ['api /cars/{Greta}/', '/cars/{Greta}/events', '/cars/{Greta}/photos'],
    // The shell adds them.
    ['cars photos add Greta ', 'files'],
    ['cars list --ca-file ', 'files'],
    ['config set ca-file ', 'files'],
    ['dropoff --photo ', 'files'],
  ])('cs %s', async (line, ...expected) => {
    expect(await complete(...line.split(' '))).toEqual(expected);
  });
  test('say what they are', async () => {
    const { stdout } = await cs(['__complete', 'he']);
    expect(stdout).toBe('help\tshow help for a command or a topic\n');
    expect((await cs(['__complete', 'cars', 'list', '--csv'])).stdout).toMatch(
      /^--csv-raw\t\w.+\n$/,
    );
  });
  test('offers every command at the start', async () => {
    expect(await complete('')).toEqual(
      expect.arrayContaining(['dropoff', 'cars', 'parking', 'auth', 'serve', 'admin']),
    );
  });
  test('offers global flags everywhere', async () => {
    expect(await complete('cars', 'list', '--')).toEqual(
      expect.arrayContaining(['--output', '--profile', '--all', '--help']),
    );
  });
});

test('bash uses the answer', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'cs'), `#!/bin/sh\nexec ${builtInShell} "$@"\n`, {
    mode: 0o755,
  });
  const script = `source <(cs completion bash); COMP_LINE="cs cars list --status "; COMP_POINT=\${#COMP_LINE}; _cs; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await execa('bash', ['-c', script], {
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  await removeFolder(folder);
  expect(stdout).toBe('expected stored checked_out archived');
});

test('an unknown shell is a usage error', async () => {
  expect(await cs(['completion', 'powershell'])).toMatchObject({ code: 2, stdout: '' });
});
