/** Questions, answered in a real pseudo-terminal. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { CliError } from '../../../src/cli/errors/exit.ts';
import { validationMessage } from '../../../src/cli/prompts/prompts.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

let env: Record<string, string>;
let folder: string;
const service = await testService();
await facility(service).car({ nickname: 'Twin', model: 'One' });
await facility(service).car({ nickname: 'Twin', model: 'Two' });
beforeEach(async () => {
  folder = await makeFolder();
  env = { CS_CONFIG_DIR: folder, CS_BASE_URL: service.url, CS_API_KEY: service.key };
});
afterEach(() => removeFolder(folder));

test('prompts for a key without showing it', async () => {
  const terminal = openTerminal(['auth', 'login', '--base-url', service.url], {
    env: { CS_CONFIG_DIR: folder },
    ownProcess: true,
  });
  expect(
    await terminal.waitFor('typing is hidden · Ctrl-T to show · Enter to continue'),
  ).not.toContain('to move');
  expect(terminal.screen()).toContain('? API key for');
  terminal.type(`${service.key}\r`);
  await terminal.waitFor('Signed in to First');
  expect(await terminal.exited).toBe(0);
  expect(terminal.raw()).not.toContain(service.key.split('.')[1]);
  expect(await readFile(join(folder, 'config.json'), 'utf8')).toContain(service.key);
});

test("names and ids from a server can't move the cursor", async () => {
  const twin = (id: string, nickname: string) => ({
    id,
    nickname,
    make: 'Audi \u001b]0;one\u0007',
    createdAt: '2026-01-02T03:04:05.000Z',
  });
  const data = [twin('\u001b]0;one\u0007', 'Twin'), twin('\u001b]0;two\u0007', 'twin')];
  const server = await startMisbehavingServer([json(200, { data, page: 1, limit: 200, total: 2 })]);
  onTestFinished(() => server.close());
  const terminal = openTerminal(['cars', 'get', 'twin'], {
    env: { ...env, CS_BASE_URL: server.url },
  });
  await terminal.waitFor('␛]0;one');
  expect(terminal.raw()).not.toContain('\u001b]0;');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
});

test('the answer no exits 13 and changes nothing, yes continues', async () => {
  await facility(service).location({ name: 'Old hall' });
  const refused = openTerminal(['locations', 'delete', 'Old hall', '--hard'], { env });
  await refused.waitFor('Delete location Old hall?');
  refused.type('n\r');
  await refused.waitFor('Nothing was changed.');
  expect(await refused.exited).toBe(13);
  const agreed = openTerminal(['locations', 'delete', 'Old hall', '--hard'], { env });
  await agreed.waitFor('Delete location Old hall?');
  agreed.type('y\r');
  await agreed.waitFor('deleted');
  expect(await agreed.exited).toBe(0);
  expect((await cs(['locations', 'get', 'Old hall'], { env })).code).toBe(6);
});

test.each(['ctrl-c', 'ctrl-d'] as const)(
  '%s at a question is exit 130, and no error',
  async (key) => {
    const terminal = openTerminal(['auth', 'login', '--base-url', service.url], {
      env: { CS_CONFIG_DIR: folder },
    });
    await terminal.waitFor('API key for');
    terminal.press(key);
    expect(await terminal.exited).toBe(130);
    expect(terminal.screen()).toContain('Stopped. Nothing was changed.');
    expect(terminal.screen()).not.toContain('error:');
  },
);

test("a flag that reads the terminal prints a note; with --no-input it doesn't wait", async () => {
  const reading = openTerminal(['cars', 'get', '--ids', '-', '-o', 'id'], {
    env,
    ownProcess: true,
  });
  await reading.waitFor('Reading --ids - from the terminal');
  const id = (await cs(['cars', 'list', '--limit', '1', '-o', 'id'], { env })).stdout.trim();
  reading.type(`${id}\r`);
  reading.press('ctrl-d');
  expect(await reading.exited).toBe(0);
  const refused = openTerminal(['cars', 'create', '--input', '-', '--no-input'], { env });
  await refused.waitFor('--input - reads stdin, which is a terminal.');
  expect(await refused.exited).toBe(2);
  // Broken between words on a narrow one.
  const narrow = openTerminal(['import', 'cars', '-'], { env, columns: 40 });
  await narrow.waitFor(
    'Reading FILE - from the terminal: type\n  or paste it, then Ctrl-D on a line of\n  its own.',
  );
});

test.each([
  ['--at: "x" isn\'t a time.', 'write it like now', 3, '"x" isn\'t a time: write it like now.'],
  ['There is no zone called "x".', undefined, 6, 'There is no zone called "x".'],
  ['2 zones are called "x".', 'give the id', 14, undefined],
] as const)('an invalid answer: %s', async (message, hint, exitCode, told) => {
  const failure = new CliError({ code: 'usage', message, hint, exitCode });
  expect(await validationMessage(() => Promise.reject(failure))).toBe(told);
  expect(
    await validationMessage(() => {
      throw failure;
    }),
  ).toBe(told);
});
