/**
 * Every example of every command's help and every recipe of `cs help scripting` is run against a facility that has what they name.
 * Lines that a shell must read (pipes, redirections) are run by one; the others in this process. What needs a person is run on a terminal.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShellLine } from '../../src/cli/framework/completion/shell-line.ts';
import { recipes } from '../../src/cli/framework/help/topics/scripting.ts';
import { topics } from '../../src/cli/framework/help/topics.ts';
import { bin } from '../helpers/built.ts';
import { cs } from '../helpers/cli.ts';
import { everyCommand, ofTheService } from '../helpers/every-command.ts';
import { type ExampleTeam, examplePhotos, examplePicture, exampleTeam, sceneOf } from '../helpers/example-facility.ts';
import { png } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { openTerminal } from '../helpers/terminal.ts';

interface Example {
  readonly command: string;
  readonly line: string;
  readonly writes: boolean;
}

const commands = await everyCommand();
const examples: Example[] = commands
  // Those start a service or work on its data; they have tests of their own.
  .filter(({ words }) => !ofTheService.has(words[0] as string))
  .flatMap(({ name, info }) =>
    info.examples.filter((line) => !line.startsWith('#')).map((line) => ({ command: name, line, writes: mayWrite(line) })),
  );
const shellRecipes: Example[] = [
  ...recipes.flatMap(({ shell }) => shell),
  // What a topic says besides, one line each.
  ...['formatting', 'exit-codes'].flatMap((name) =>
    [...(topics[name]?.text() ?? '').matchAll(/^ {4}(cs \S.*)$/gm)].map(([, line]) => line as string),
  ),
  // What the guide says of scripts.
  ...guideLines('12. ', '15. '),
].map((line) => ({ command: 'scripting', line, writes: mayWrite(line) }));

/** The lines for a shell in some sections of the guide, without their remarks. */
function guideLines(from: string, to: string): string[] {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide.md'), 'utf8');
  const part = guide.slice(guide.indexOf(`## ${from}`), guide.indexOf(`## ${to}`));
  return [...part.matchAll(/^(cs \S.*?)(?: +# .*)?$/gm)].map(([, line]) => line as string);
}

/** Everything but what only reads, or changes nothing outside its folder, has a team of its own. */
function mayWrite(line: string): boolean {
  const reads = /^cs (\S+ ){1,2}(list|get)\b[^|]*$|--dry-run$|^cs (schema|explain|completion|today|board)\b/;
  const changesItsFolder = /^cs (sync|export|auth|profiles|config|doctor|watch|version|\S+( \S+)? download)\b[^|]*$/;
  return !reads.test(line) && !changesItsFolder.test(line);
}

let service: TestService;
let root: string;
let tools: string;
const shared = new Map<string, Promise<ExampleTeam>>();

beforeAll(async () => {
  service = await startTestService();
  root = await makeFolder();
  tools = join(root, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'cs'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
});
afterAll(async () => {
  await service.close();
  await removeFolder(root);
});

/** Commands whose examples meet records in a state of their own, or leave them in one that the next example does not expect. */
const needsState = /^campaigns (sends|pause|resume|cancel)|^appointments (approve|decline)|^(parking assignments|asset-folders) update/;
/** What makes a record, or changes a field of one, is in the way of no other example of the same command. */
const shares = /^cs \S+( \S+)? (create|add|upload|update) /;

let made = 0;

/** The team, the folder and the configuration that an example is run with. */
async function stage({ command, line, writes }: Example) {
  // One time for the facility and the command, so that no midnight comes between them.
  const now = new Date();
  const own = needsState.test(command);
  const shareable = own ? undefined : !writes ? sceneOf(command) : shares.test(line) ? command : undefined;
  const known = shareable === undefined ? undefined : shared.get(shareable);
  const found = known ?? exampleTeam(service, command, now);
  if (shareable !== undefined) shared.set(shareable, found);
  const team = await found;

  const folder = join(root, `example-${++made}`);
  const configuration = join(folder, 'configuration');
  mkdirSync(join(folder, 'shots'), { recursive: true });
  mkdirSync(join(folder, '.config/fish/completions'), { recursive: true });
  mkdirSync(configuration);
  for (const [name, bytes] of Object.entries(examplePhotos)) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, 'shots/1.jpg'), png(11));
  mkdirSync(join(folder, 'pictures'));
  for (const name of ['hall.png', 'pictures/hall.png']) writeFileSync(join(folder, name), examplePicture);
  writeFileSync(join(folder, 'car.json'), '{"year": 1973, "make": "Porsche", "model": "911"}');
  writeFileSync(join(folder, 'customers.csv'), 'firstName,lastName\nBo,Ek\n');
  writeFileSync(join(folder, 'events.ndjson'), '{"carId": "Greta", "activityType": "inspection"}\n');
  writeFileSync(join(folder, 'key.txt'), `${team.key}\n`);
  writeFileSync(join(folder, 'office.pem'), '');
  const profile = { baseUrl: service.url, key: team.key };
  const settings = { currentProfile: 'main', profiles: { main: profile, work: profile, reports: profile } };
  writeFileSync(join(configuration, 'config.json'), JSON.stringify(settings));
  const pass = join(folder, 'tools');
  cpSync(tools, pass, { recursive: true });
  writeFileSync(join(pass, 'pass'), `#!/bin/sh\necho '${team.key}'\n`, { mode: 0o755 });
  const env = { CS_CONFIG_DIR: configuration, CS_CACHE_DIR: join(folder, 'cache'), HOME: folder, PATH: `${pass}:${process.env.PATH}` };
  return { team, folder, env, now };
}
type Stage = Awaited<ReturnType<typeof stage>>;

/** The line with the ids that words in capitals stand for, and the address of the service in place of that of the examples. */
const filled = (line: string, { team }: Stage): string =>
  Object.entries(team.ids)
    .reduce((text, [word, id]) => text.replace(new RegExp(`(?<=^cs (?!api).* )${word}(?= |$)`, 'g'), id), line)
    .replaceAll('https://cars.example.com', service.url);

const needsShell = (line: string): boolean => /[|<>;&$*]|^(?!cs )/.test(line.replace(/'[^']*'|"[^"$]*"/g, ''));
const goesOn = (line: string): boolean => /^cs (watch\b(?!.*--once)|board --watch)/.test(line);

/** What lines end with, where it is not 0. */
const ends: Readonly<Record<string, number>> = {};

async function runExample(example: Example): Promise<void> {
  const set = await stage(example);
  const line = filled(example.line, set);
  const expected = ends[example.line] ?? 0;
  if (goesOn(line)) return stopOnceItShows(line, set);
  const result =
    needsShell(line) || example.command === 'scripting'
      ? await inShell(line, set)
      : await cs(wordsOf(line), { cwd: set.folder, home: set.folder, env: set.env, now: set.now });
  if (result.code === 2 && asks(result.stderr)) return answer(line, set);
  expect({ code: result.code, stderr: result.code === expected ? '' : result.stderr }).toEqual({ code: expected, stderr: '' });
}

const wordsOf = (line: string): string[] => readShellLine(`${line} `).words.slice(0, -1);

async function inShell(line: string, { folder, env }: Stage) {
  const { exitCode, stdout, stderr } = await execa('bash', ['-euo', 'pipefail', '-c', line], {
    cwd: folder,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  return { code: exitCode, stdout, stderr };
}

/** Whether a command says that a person would have been asked. */
const asks = (stderr: string): boolean =>
  /to be prompted|needs a yes|confirmation required|Missing required flag: --confirm|Missing key/.test(stderr);

/** On a terminal: yes to a yes or no, the word that is asked for, and Ctrl-C where there is more to say than a test of examples can. */
async function answer(line: string, { folder, env }: Stage): Promise<void> {
  const terminal = openTerminal(wordsOf(line), { cwd: folder, env });
  const screen = await terminal.waitFor(/\(y\/N\)|Type .+ to confirm|\? +\S/);
  const [, word] = /Type (.+?) to confirm/.exec(screen) ?? [];
  if (word === undefined && !screen.includes('(y/N)')) {
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    return;
  }
  terminal.type(word ?? 'y');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
}

/** Commands that go on until they are stopped. */
async function stopOnceItShows(line: string, { folder, env }: Stage): Promise<void> {
  const terminal = openTerminal(wordsOf(line), { cwd: folder, env });
  await terminal.waitFor(/\S/);
  terminal.press('ctrl-c');
  expect([0, 130]).toContain(await terminal.exited);
}

describe.each(Object.entries(Object.groupBy(examples, ({ command }) => command)))('cs %s', (_, own) => {
  test.each((own ?? []).map((example) => [example.line, example] as const))('%s', (_line, example) => runExample(example));
});

describe('cs help scripting, formatting and exit-codes, and the guide', () => {
  test.each(shellRecipes.map((example) => [example.line, example] as const))('%s', (_line, example) => runExample(example));
});
