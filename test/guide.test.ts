/** `cs` understands every command in the guide, and its steps from nothing to the schedule work when they are typed. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readShellLine } from '../src/cli/framework/completion/shell-line.ts';
import { flagsInScope, readLine } from '../src/cli/framework/tree/line.ts';
import { liveTree } from '../src/cli/framework/tree/live-tree.ts';
import { bin, builtServe } from './helpers/built.ts';
import { png } from './helpers/facility.ts';
import { makeFolder, removeFolder } from './helpers/folder.ts';
import { openTerminal } from './helpers/terminal.ts';

const text = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
/** The lines of its shell blocks, without comments. */
const linesOf = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter(Boolean),
  );
/** Every `cs …` in a line: in pipes, behind variables and in `<(…)`. */
const commandsIn = (line: string): string[] =>
  [...line.matchAll(/(?:^|[|(=]\s*|\S=\S+ )cs ((?:'[^']*'|"[^"]*"|[^|)>"'])*)/g)].map(([, words = '']) => words);

describe.each(['README.md', 'docs/guide.md', 'docs/operating.md', 'docs/postgresql.md'])('%s', (file) => {
  const commands = linesOf(text(file)).flatMap(commandsIn);
  test('has cs commands', () => {
    expect(commands.length).toBeGreaterThan(1);
  });
  test.each(commands)('cs %s', async (command) => {
    const words = readShellLine(`cs ${command} `).words.slice(0, -1);
    const line = await readLine(liveTree, words);
    const last = line.chain.at(-1);
    const known = new Set([...flagsInScope(line.chain).flatMap(({ long, short }) => [long, short]), '--version', '--help']);
    const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]);
    expect([line.unknown, flags.filter((flag) => !known.has(flag))]).toEqual([undefined, []]);
    if (words[0] === '--version') return;
    // A command with arguments of its own runs, also with commands below it.
    expect(last?.arguments.length === 0 ? last.commands.map(({ name }) => name) : []).toEqual([]);
    expect(line.args.length).toBeGreaterThanOrEqual(last?.arguments.filter(({ required }) => required).length ?? 0);
  });
});

/** The answers on a terminal to the lines that ask: the text to wait for, and what is typed then. */
const answers: Readonly<Record<string, (key: string) => readonly (readonly [RegExp, string])[]>> = {
  'cs auth login': (key) => [[/key/i, `${key}\r`]],
  'cs customers create': () => [
    [/\? First name/, 'Ann\r'],
    [/\? Last name/, 'Lee\r'],
    [/\? Phone/, '+49 40 555 0101\r'],
    [/\? E-mail/, 'ann.lee@example.com\r'],
    [/\? Store this customer/, '\r'],
  ],
  'cs dropoff': () => [
    [/\? Car/, 'emma'],
    [/❯ HH-E 61H/, '\r'],
    [/\? Place[\s\S]*❯ +A1/, '\r'],
    [/\? Notes/, '\r'],
    [/\? Photos/, 'shots/*.jpg\r'],
    [/\? Store this drop-off/, '\r'],
  ],
  'cs pickup': () => [
    [/\? Car/, 'emma'],
    [/❯ HH-E 61H/, '\r'],
    [/\? Notes/, '\r'],
    [/\? Hand this car over/, '\r'],
  ],
  'cs appointments create': () => [
    [/\? Event/, '\r'],
    [/\? Customer/, 'ann'],
    [/❯ Ann Lee/, '\r'],
    [/\? Start/, 'tomorrow 10\r'],
    [/\? Store this appointment/, '\r'],
  ],
  'cs board "Hall A" --watch': () => [[/Hall A/, 'q']],
  'cs today --watch': () => [[/Arrivals/, 'q']],
};

/** Lines for a phone, which tests of their own scan. */
const withAPhone = / --phone$/;

test('from nothing to the schedule, sections 1 to 9 typed line by line on a new machine', { timeout: 300_000 }, async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  for (const name of ['bin', 'shots', 'card/day 1']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'bin/cs'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
  await writeFile(join(folder, 'shots/1.jpg'), png(1));
  await writeFile(join(folder, 'card/day 1/2.jpg'), png(2));
  const env = { HOME: folder, PATH: `${folder}/bin:${process.env.PATH}`, CS_DATA: join(folder, 'data'), CS_BASE_URL: '' };
  const [part = ''] = /^## 1\. [\s\S]*?(?=^## 10\. )/m.exec(text('docs/guide.md')) ?? [];
  const lines = linesOf(part).filter((line) => !/^npm install/.test(line) && !withAPhone.test(line));
  expect(lines).toEqual(expect.arrayContaining(Object.keys(answers)));

  let key = '';
  for (const line of lines) {
    if (line === 'cs serve') {
      const service = await builtServe(env.CS_DATA);
      onTestFinished(async () => void (await service.stop('SIGTERM')));
      env.CS_BASE_URL = service.url;
      continue;
    }
    const steps = answers[line]?.(key);
    if (!steps) {
      const { exitCode, stdout, stderr } = await execa('bash', ['-euo', 'pipefail', '-c', line], {
        env,
        extendEnv: false,
        cwd: folder,
        reject: false,
        stdin: 'ignore',
      });
      expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ line, exitCode: 0, stderr: '' });
      if (line.startsWith('cs admin key create')) key = JSON.parse(stdout).key;
      continue;
    }
    const terminal = openTerminal(['-c', line], { program: 'bash', env, cwd: folder, rows: 50, patienceMs: 30_000 });
    for (const [shown, typed] of steps) {
      await terminal.waitFor(shown);
      terminal.type(typed);
    }
    expect({ line, exitCode: await terminal.exited, screen: terminal.screen() }).toMatchObject({ line, exitCode: 0 });
  }
});
