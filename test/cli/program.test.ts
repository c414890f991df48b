import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/cli/commands/catalogue.ts';
import type { Command } from '../../src/cli/framework/command.ts';
import { readShellLine } from '../../src/cli/framework/completion/shell-line.ts';
import { createProgram, finishSetup, loadFamily } from '../../src/cli/framework/tree/live-tree.ts';
import { isPath, placeholderOf } from '../../src/cli/framework/tree/placeholder.ts';
import { cs } from '../helpers/cli.ts';
import { everyCommand } from '../helpers/every-command.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { forMany, offenders } from '../helpers/offenders.ts';

test(
  'the help of every command fits 80 columns, and shows its usage',
  async () => {
    const commands = [{ name: 'cs', words: [] }, ...(await everyCommand())];
    expect(commands.length).toBeGreaterThan(150);
    const found = await offenders(commands, async ({ words }) => {
      const { code, stdout, stderr } = await cs([...words, '--help'], { as: 'terminal' });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`USAGE\n  ${['cs', ...words].join(' ')}`);
      // An example may be longer than a terminal is wide; it must be copied as one line.
      const prose = stdout.split('\n').filter((line) => !line.startsWith('  $ '));
      expect(prose.filter((line) => line.length > 80)).toEqual([]);
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test('a group without a verb shows help on a terminal, and is an error in a script', async () => {
  const person = await cs(['cars'], { as: 'terminal' });
  expect([person.code, person.stdout, person.stderr]).toEqual([
    0,
    (await cs(['cars', '--help'], { as: 'terminal' })).stdout,
    '',
  ]);
  expect((await cs(['cars'])).code).toBe(2);
});

test('a record can have the name help', async () => {
  expect((await cs(['cars', 'get', 'help'])).error.code).toBe('not_signed_in');
});

test('every noun has its singular as an alias', async () => {
  for (const { name, alias } of catalogue) {
    if (alias)
      expect((await cs([alias, '--help'])).stdout).toBe((await cs([name, '--help'])).stdout);
  }
});

test.each([
  ['parkign list', 'Unknown command "parkign".', 'did you mean parking?'],
  ['cars lits', 'Unknown command "lits".', 'did you mean list?'],
  [
    'templates prune --unused-for 3x',
    '--unused-for: "3x" isn\'t a duration.',
    'write it like 45m, "1h 30m", 12w, 90d or 1y',
  ],
  ['cars list --statsu stored', 'Unknown flag "--statsu".', 'did you mean --status?'],
  // A flag of the command above.
  [
    'sync verify --to mirror.db',
    'Unknown flag "--to".',
    '`cs sync verify --help` shows its arguments and flags',
  ],
  ['help exit-code', 'Unknown command or topic "exit-code".', 'did you mean exit-codes?'],
  ['cars lits --help', 'Unknown command "lits".', 'did you mean list?'],
  ['help cars keys', 'Unknown command "keys".', '`cs cars --help` lists the commands'],
  ['versoin', 'Unknown command "versoin".', 'did you mean version?'],
  ['completion bsah', 'shell: "bsah" isn\'t one of bash, zsh, fish.', 'did you mean bash?'],
  [
    'templates prune --keep -1',
    '--keep: "-1" isn\'t a whole number.',
    'write it as --keep <number>',
  ],
  [
    'cars events list',
    'Missing required argument "car".',
    '`cs cars events list --help` shows its arguments and flags',
  ],
  [
    'parking spots',
    'cs parking spots needs a command: list, get, create, update.',
    '`cs parking spots --help` explains them',
  ],
  [
    'cars list --json -o id',
    "--json and --output id can't be used together.",
    'leave one of them out',
  ],
  [
    'serve --port 99999',
    '--port must be 0 to 65535, not 99999.',
    'choose another, or --port 0 for any free port',
  ],
  [
    'cars list --q',
    '--q needs a value: --q <text>.',
    '`cs cars list --help` shows its arguments and flags',
  ],
  [
    'cars list -yo',
    '--output needs a value: --output <format>.',
    '`cs cars list --help` shows its arguments and flags',
  ],
  [
    'dropoff HH "X 1"',
    'Unexpected argument "X 1".',
    'quote a name with spaces; `cs dropoff --help` shows its arguments and flags',
  ],
  [
    'dropoff "HH-X 1" --car "HH-X 2"',
    '"HH-X 1" and --car "HH-X 2" can\'t be used together.',
    'use one of them',
  ],
  [
    'move "PI-M 388" A6 --spot A7',
    '"A6" and --spot "A7" can\'t be used together.',
    'use one of them',
  ],
  ['api PUT /cars', '"PUT" isn\'t a supported method.', 'choose one of GET, POST, PATCH, DELETE'],
])('cs %s', async (line, message, hint) => {
  const { words } = readShellLine(`cs ${line} `);
  const { code, error, stdout } = await cs(words.slice(0, -1));
  expect([code, error.message, error.hint, stdout]).toEqual([2, message, hint, '']);
});

/** Each flag and argument for a path, as a line that has nothing else wrong. */
async function pathLines(): Promise<[name: string, line: string[]][]> {
  const address = 's3://owner:geheim@bucket/garage';
  const lines: [string, string[]][] = [];
  const visit = (command: Command, words: readonly string[]): void => {
    finishSetup(command);
    const args = command.registeredArguments.map(({ required, argChoices }) =>
      required ? [argChoices?.[0] ?? 'x'] : [],
    );
    const flags = command.options.filter(({ mandatory }) => mandatory);
    const line = (given: string[], of = args) => [
      ...words,
      ...of.flat(),
      ...flags.flatMap(({ long }) => (given[0] === long ? [] : [String(long), 'x'])),
      ...given,
    ];
    for (const { long, flags: form } of command.options)
      if (isPath(placeholderOf(form)) && (long !== '--ca-file' || command.path === 'cs sync'))
        lines.push([`${words.join(' ')} ${long}`, line([String(long), address])]);
    command.registeredArguments.forEach((argument, index) => {
      if (isPath(argument.name()) && !argument.suggestions.names && words[0] !== 'api')
        lines.push([
          `${words.join(' ')} <${argument.name()}>`,
          line([], args.with(index, [address])),
        ]);
    });
    for (const below of command.commands) visit(below, [...words, below.name()]);
  };
  for (const { name } of catalogue)
    visit((await loadFamily(catalogue, createProgram(catalogue), name)) as Command, [name]);
  return lines;
}

test('an address in place of a path is refused before anything is made, and its password is not repeated', async () => {
  const lines = await pathLines();
  expect(lines.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'sync --to',
      'export --to',
      'import <file|->',
      'cars photos add <file>',
    ]),
  );
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const env = { CS_API_KEY: 'none', CS_BASE_URL: 'http://127.0.0.1:1', CS_RETRIES: '0' };
  const at = { cwd: folder, home: folder, env: { ...env, CS_CONFIG_DIR: folder } };
  for (const [name, line] of lines) {
    const { code, stderr } = await cs([...line, '-v'], at);
    // A stack follows.
    const { message } = JSON.parse(stderr.split('\n', 1)[0] as string).error;
    expect([name, code, message]).toEqual([
      name,
      2,
      expect.stringMatching(/: s3:\/\/ addresses aren't supported\.$/),
    ]);
    expect(stderr).not.toContain('geheim');
  }
  const data = await cs(['serve', '--port', '0'], { ...at, env: { CS_DATA: 's3://KEY:geheim@b' } });
  expect([data.code, data.error.message]).toEqual([
    2,
    "CS_DATA: s3:// addresses aren't supported.",
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test('an error is text on a terminal and one JSON object in a pipe', async () => {
  const terminal = await cs(['cars', 'lits'], { as: 'terminal' });
  expect(terminal.stderr).toBe(
    'error: Unknown command "lits".\nhint: did you mean list?\n(usage)\n',
  );
  expect((await cs(['cars', 'lits', '-o', 'table'])).stderr).toBe(terminal.stderr);
  expect((await cs(['cars', 'lits', '--json'], { as: 'terminal' })).error).toMatchObject({
    code: 'usage',
    exitCode: 2,
    status: null,
  });
});
