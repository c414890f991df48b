/** The commands in the documentation exist, and the lines of README and guide work when they are typed on a new machine. */
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { readShellLine } from '../src/cli/framework/completion/shell-line.ts';
import { topics } from '../src/cli/framework/help/topics.ts';
import { flagsInScope, readLine } from '../src/cli/framework/tree/line.ts';
import { builtInShell, builtServe } from './helpers/built.ts';
import { pageText, shellLines } from './helpers/documentation.ts';
import { png } from './helpers/facility.ts';
import { makeFolder, removeFolder } from './helpers/folder.ts';
import { openTerminal } from './helpers/terminal.ts';

const root = join(import.meta.dirname, '..');
/** Every `cs …` in a line: in pipes, behind variables and in `<(…)`. */
const commandsIn = (line: string): string[] =>
  [...line.matchAll(/(?:^|[|(=]\s*|\S=\S+ )cs ((?:'[^']*'|"[^"]*"|[^|)>"'])*)/g)].map(
    ([, words = '']) => words,
  );

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((file) => file.endsWith('.md'));

test('the shell lines of every page name commands and flags that exist', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of pages)
    for (const command of shellLines(file).flatMap(commandsIn)) {
      seen++;
      const fault = await faultIn(command);
      if (fault) wrong.push(`${file}: cs ${command}: ${fault}`);
    }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

test('commands between backticks exist on every page, with their flags', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of pages)
    for (const [, line = ''] of pageText(file).matchAll(/`(cs [^`<…\n]+)`/g))
      for (const command of commandsIn(line)) {
        seen++;
        const fault = await faultIn(command, { isMention: true });
        if (fault) wrong.push(`${file}: cs ${command}: ${fault}`);
      }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

test('the shell lines of every page name scripts of package.json', () => {
  const { scripts } = JSON.parse(pageText('package.json'));
  const named = pages.flatMap((file) =>
    shellLines(file).flatMap((line) =>
      [...line.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script),
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

/** A mention can be a group of commands, or lack arguments. */
async function faultIn(command: string, { isMention = false } = {}): Promise<string | undefined> {
  const words = readShellLine(`cs ${command} `).words.slice(0, -1);
  if (words[0] === '--version') return undefined;
  if (words[0] === 'help')
    return (words[1] ?? 'keys') in topics ? undefined : `no topic ${words[1]}`;
  const line = await readLine(liveTree, words);
  if (line.unknown !== undefined) return `no command ${line.unknown}`;
  const last = line.chain.at(-1);
  const known = new Set(flagsInScope(line.chain).flatMap(({ long, short }) => [long, short])).add(
    '--help',
  );
  const flag = words
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.split('=')[0])
    .find((name) => !known.has(name));
  if (flag) return `no flag ${flag}`;
  if (isMention) return undefined;
  // A command with arguments of its own runs, also with commands below it.
  if (last?.arguments.length === 0 && last.commands.length > 0) return 'only a group of commands';
  const required = last?.arguments.filter((argument) => argument.required).length ?? 0;
  return line.args.length < required ? 'an argument is missing' : undefined;
}

test('docs/guide.md names each answer about unfinished and queued work as the terminal does', () => {
  const files = ['counter/engine', 'counter/offline', 'dropoff/action'];
  const offered = files.flatMap((file) => [
    ...pageText(`src/cli/commands/${file}.ts`).matchAll(/name: '([A-Z][^']+)'/g),
  ]);
  expect(offered.length).toBeGreaterThan(5);
  expect(
    offered
      .map(([, name]) => name)
      .filter((name) => !pageText('docs/guide.md').includes(name as string)),
  ).toEqual([]);
});

/** The answers on a terminal to the lines that ask: the text to wait for, and what is typed then. */
const answers: Readonly<Record<string, (key: string) => readonly (readonly [RegExp, string])[]>> = {
  'cs auth login': (key) => [[/key/i, `${key}\r`]],
  'cs customers create': () => [
    [/\? First name/, 'Ann\r'],
    [/\? Last name/, 'Lee\r'],
    [/\? Company/, '\r'],
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
  'cs undo': () => [[/\? Take it back/, '\r']],
  'cs appointments create': () => [
    [/\? Event/, '\r'],
    [/\? Customer/, 'ann'],
    [/❯ Ann Lee/, '\r'],
    [/\? Start/, 'tomorrow 10\r'],
    [/\? Store this appointment/, '\r'],
  ],
  'cs audit --zone "Hall A"': () => [
    [/A1 \(1 of 3\)/, '\r'],
    [/A2 \(2 of 3\)/, '\r'],
    [/A3 \(3 of 3\)/, '\r'],
    [/3 of 3 noted/, '\r'],
  ],
  'cs board "Hall A" --watch': () => [[/Hall A/, 'q']],
  'cs today --watch': () => [[/Arrivals/, 'q']],
  'cs watch cars': () => [[/Watching cars/, '\u0003']],
};

/** What only the internet can do. */
const isElsewhere = (line: string): boolean => line.startsWith('npm install ');

/** Lines about what went wrong or was left, of which a new machine has nothing. */
const nothingYet: ReadonlySet<string> = new Set([
  'cs pending list',
  'cs pending resume',
  // The service is as it was exported.
  'cs facility plan facility.yaml --exit-code',
  'cs facility apply facility.yaml',
  // No car is stored any more.
  'cs care apply care.yaml --dry-run',
  'cs care apply care.yaml',
  'cs care due',
  'cs appointments list --date yesterday --status scheduled -o id | cs appointments no-show --ids -',
]);

/** The service has their results a moment later. */
const soon: ReadonlySet<string> = new Set([
  'cs campaigns sends list "Spring letter" --status queued',
]);

/** The folder in which the lines are typed. The files are those that a person has: photos, a camera's card, and pictures. */
async function newMachine() {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  for (const name of ['bin', 'shots', 'card/day 1', 'pictures/hall'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'bin/cs'), `#!/bin/sh\nexec ${builtInShell} "$@"\n`, {
    mode: 0o755,
  });
  const [, plan = ''] = /```yaml\n(care:[\s\S]*?)```/.exec(pageText('docs/guide.md')) ?? [];
  await writeFile(join(folder, 'care.yaml'), plan);
  await writeFile(join(folder, 'shots/1.jpg'), png(1));
  await writeFile(join(folder, 'card/day 1/2.jpg'), png(2));
  await writeFile(join(folder, 'pictures/hall/3.png'), png(3));
  return {
    folder,
    env: {
      HOME: folder,
      PATH: `${folder}/bin:${process.env.PATH}`,
      SHELL: '/bin/bash',
      CS_DATA: join(folder, 'data'),
      CS_BASE_URL: '',
    },
  };
}

/** Types a line into a shell that has no terminal. Resolves with what it printed, or wrote into its file. */
async function typed(
  line: string,
  { folder, env }: Awaited<ReturnType<typeof newMachine>>,
): Promise<string> {
  const shell = { env, extendEnv: false, cwd: folder, reject: false, stdin: 'ignore' } as const;
  const { exitCode, stdout, stderr } = await execa('bash', ['-euo', 'pipefail', '-c', line], shell);
  expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
    line,
    exitCode: 0,
    stderr: '',
  });
  const file = / >>? ([\w.]+)/.exec(line)?.[1];
  return (file ? await readFile(join(folder, file), 'utf8') : stdout).trim();
}

/** Types the lines one after the other: `cs serve` starts the service, and those with answers get a terminal. */
async function typeAll(
  lines: readonly string[],
  machine: Awaited<ReturnType<typeof newMachine>>,
): Promise<void> {
  const { folder, env } = machine;
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
      const type = async () => {
        const result = await typed(line, machine);
        const isNothing = ['', '[]'].includes(result);
        expect({ line, isNothing }).toEqual({ line, isNothing: nothingYet.has(line) });
        return result;
      };
      const result = await (soon.has(line) ? vi.waitFor(type, { timeout: 60_000 }) : type());
      if (line.startsWith('cs admin key create')) key = JSON.parse(result).key;
      continue;
    }
    const terminal = openTerminal(['-c', line], {
      program: 'bash',
      env,
      cwd: folder,
      rows: 50,
      patienceMs: 30_000,
    });
    for (const [shown, typed] of steps) {
      await terminal.waitFor(shown);
      terminal.type(typed);
    }
    const exitCode = steps.at(-1)?.[1] === '\u0003' ? 130 : 0;
    expect({ line, exitCode: await terminal.exited, screen: terminal.screen() }).toMatchObject({
      line,
      exitCode,
    });
  }
}

test('the whole guide, typed line by line on a new machine', { timeout: 300_000 }, async () => {
  const machine = await newMachine();
  const lines = shellLines('docs/guide.md').filter((line) => !isElsewhere(line));
  expect(lines).toEqual(expect.arrayContaining([...Object.keys(answers), ...nothingYet]));
  await typeAll(lines, machine);
  const mirror = new DatabaseSync(join(machine.folder, 'mirror.db'), { readOnly: true });
  onTestFinished(() => mirror.close());
  const [, queries = ''] = /^```sql\n([\s\S]*?)^```$/m.exec(pageText('docs/guide.md')) ?? [];
  const rows = queries
    .trim()
    .split('\n')
    .map((query) => mirror.prepare(query).all().length);
  expect(rows).toEqual([1, expect.any(Number)]);
  expect(rows[1]).toBeGreaterThan(0);
});

test('the first lines of the README, with the section of the guide that it names, typed on a new machine', {
  timeout: 300_000,
}, async () => {
  const named = /\[(.+)\]\(docs\/guide\.md#[\w-]+\)[^#]*\ncs dropoff /;
  const [, section = ''] = named.exec(pageText('README.md')) ?? [];
  const lines = shellLines('README.md').filter((line) => line.startsWith('cs '));
  const facility = shellLines('docs/guide.md', section);
  await typeAll(lines.toSpliced(lines.indexOf('cs dropoff'), 0, ...facility), await newMachine());
});

/** Typed in test/service/files/s3.test.ts, which has a store. */
const needsStore = /CS_FILES=|AWS_SECRET|^cs admin files copy/;

test('the lines for the owner of the machine, typed beside a running service', {
  timeout: 300_000,
}, async () => {
  const { folder, env } = await newMachine();
  for (const name of ['backups', 'srv']) await mkdir(join(folder, name));
  const serve = async (argv: readonly string[]) => {
    const at = argv.indexOf('--data');
    const service = await builtServe(
      argv[at + 1] as string,
      argv.filter((_, index) => index !== at && index !== at + 1),
    );
    onTestFinished(async () => void (await service.stop('SIGTERM')));
    return service;
  };
  await serve(['--data', env.CS_DATA]);
  await typed('cs admin team create "Garage Nord"', { folder, env });
  const lines = ['docs/operating.md', 'docs/dashboard.md']
    .flatMap((file) => shellLines(file))
    .filter((line) => !needsStore.test(line))
    .map((line) => line.replaceAll(/ (\/(?:backups|srv)\/)/g, ` ${folder}$1`));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    if (line.startsWith('cs serve ')) await (await serve(line.split(' ').slice(2))).stop('SIGTERM');
    else await typed(line, { folder, env });
  }
});
