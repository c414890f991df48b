/** Long results on a real terminal, through a pager and without. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal, type TerminalOptions } from '../../helpers/terminal.ts';

/** A pager is another program on the same terminal. */
const onTerminal = (line: string[], options: TerminalOptions) =>
  openTerminal(line, { ownProcess: true, ...options });

const service = await testService();
const folder = await makeFolder();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
for (let number = 10; number < 50; number += 1) await make.car({ licensePlate: `CS ${number}` });
// Shows what it is given with a mark before each line, says how it was called, and waits for a key, as a pager does.
await writeFile(
  join(folder, 'page'),
  '#!/bin/sh\necho "called with: $*"\nsed "s/^/> /"\nread key < /dev/tty\n',
);
await chmod(join(folder, 'page'), 0o755);
afterAll(() => removeFolder(folder));

const list = ['cars', 'list', '--columns', 'plate'];

test('output longer than the screen goes to the chosen pager, and the count follows', async () => {
  const terminal = onTerminal(list, {
    env: { ...env, CS_PAGER: `${folder}/page -x`, PAGER: 'nothing' },
  });
  await terminal.waitFor('> CS 10');
  expect(terminal.raw()).toContain('called with: -x');
  expect(terminal.raw()).not.toContain('40 cars');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('40 cars');
  expect(terminal.raw().match(/> CS \d\d/g)).toHaveLength(40);
});

test.each([[['--help']], [['help', 'keys']]])('so does help: cs %j', async (line) => {
  const terminal = onTerminal(line, { env: { ...env, CS_PAGER: `${folder}/page -x` } });
  await terminal.waitFor(/^> /m);
  expect(terminal.raw()).toContain('called with: -x');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
});

test('help with a setting that is wrong is not paged', async () => {
  const terminal = onTerminal(['help', 'keys'], {
    env: { ...env, CS_PAGER: `${folder}/page`, CS_TIMEOUT: 'x' },
  });
  expect(await terminal.exited).toBe(0);
  expect(terminal.raw()).not.toContain('called with');
});

test("output that fits isn't paged", async () => {
  const terminal = onTerminal([...list, '--limit', '5'], {
    env: { ...env, PAGER: `${folder}/page` },
  });
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).not.toContain('called with');
  expect(terminal.screen().match(/CS \d\d/g)).toHaveLength(5);
});

test.each([
  ['a pager that there is not', { CS_PAGER: 'no-such-pager-anywhere' }, []],
  ['CS_PAGER=cat', { CS_PAGER: 'cat', PAGER: 'false' }, []],
  ['--no-input, with which nobody is there to leave it', { PAGER: 'false' }, ['--no-input']],
  ['a terminal that can nothing', { PAGER: 'false', TERM: 'dumb' }, []],
  ['an empty CS_PAGER', { CS_PAGER: '', PAGER: 'false' }, []],
])('nothing is lost with %s', async (_, variables, flags) => {
  const terminal = onTerminal([...list, ...flags], {
    env: { ...env, ...variables } as Record<string, string>,
  });
  expect(await terminal.exited).toBe(0);
  expect(terminal.raw().match(/CS \d\d/g)).toHaveLength(40);
  expect(terminal.screen()).toContain('40 cars');
});

test("quitting the pager early or with Ctrl-C isn't an error", async () => {
  const early = onTerminal(['cars', 'list', '-o', 'ndjson', '--all'], {
    env: { ...env, CS_PAGER: 'head -n 1' },
  });
  expect(await early.exited).toBe(0);
  const stopped = onTerminal(list, { env: { ...env, CS_PAGER: `trap '' INT; ${folder}/page` } });
  await stopped.waitFor('> CS 10');
  stopped.press('ctrl-c');
  stopped.press('enter');
  expect(await stopped.exited).toBe(0);
});

/** On a screen of so few lines that a single record is too long for it. */
const create = (name: string, pager: string) =>
  onTerminal(['locations', 'create', '--name', name, '-o', 'json'], {
    env: { ...env, CS_PAGER: pager },
    rows: 8,
  });
const locations = async (): Promise<{ id: string; name: string }[]> =>
  (await service.call('GET', '/locations')).body.data;

describe('a failing pager', () => {
  test('in the middle: exit 1', async () => {
    const pager = 'head -c 1 > /dev/null; exit 3';
    const terminal = onTerminal([...list, '--all'], { env: { ...env, CS_PAGER: pager } });
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen()).toContain(`error: The pager \`${pager}\` failed with exit code 3.`);
    expect(terminal.screen()).toContain('hint: set another in CS_PAGER, or CS_PAGER=cat for none');
  });

  test('after a write: exit 15, with the stored records', async () => {
    const terminal = create('Failing', 'exit 3');
    expect(await terminal.exited).toBe(15);
    const made = (await locations()).find(({ name }) => name === 'Failing');
    // As a document, since that was asked for.
    const { error } = JSON.parse(terminal.raw().slice(terminal.raw().indexOf('{')));
    expect(error).toMatchObject({
      code: 'stored_not_printed',
      message: 'Stored, but not printed. The pager `exit 3` failed with exit code 3.',
      hint: `don't run it again; see it with \`cs api /locations/${made?.id}\``,
      details: { stored: [{ did: 'POST /locations', id: made?.id }] },
    });
  });
});

test('Ctrl-C ends an endless --jq program', async () => {
  const terminal = onTerminal(['cars', 'list', '-v', '--jq', 'def f: f; f'], { env });
  await terminal.waitFor('/api/v1/cars');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
});
