/** Help, topics and the version: what is answered without a command. */
import { describe, expect, test } from 'vitest';
import { version } from '../../../../src/cli/framework/version.ts';
import { cs } from '../../../helpers/cli.ts';

const listHelp = (await cs(['cars', 'list', '--help'])).stdout;

describe('help', () => {
  test.each([
    [['cars', 'list', '-h']],
    [['help', 'cars', 'list']],
    [['--help', 'cars', 'list']],
    [['--help', 'cars', 'list', '--']],
    [['cars', 'list', '--status', 'stored', '--help']],
    [['--base-url', 'http://127.0.0.1:1', '-q', 'cars', 'list', '-h']],
  ])('cs %j is that of the named command', async (line) => {
    expect(await cs(line)).toMatchObject({ code: 0, stderr: '', stdout: listHelp });
  });
  test('has its sections in this order', async () => {
    const page = (await cs(['cars', '--help'])).stdout;
    expect(page.match(/^[A-Z][A-Z ]+$/gm)).toEqual([
      'USAGE',
      'ALIASES',
      'COMMANDS',
      'FLAGS',
      'EXAMPLES',
      'LEARN MORE',
    ]);
    expect(page).toContain('ALIASES\n  cs car\n');
    const leaf = (await cs(['cars', 'events', 'log', '--help'])).stdout;
    expect(leaf.match(/^[A-Z][A-Z ]+$/gm)).toEqual([
      'USAGE',
      'FLAGS',
      'GLOBAL FLAGS',
      'ARGUMENTS',
      'EXAMPLES',
      'LEARN MORE',
    ]);
  });
  test.each([20, 50])('breaks no words on %i columns', async (columns) => {
    for (const line of [['cars', 'list', '--help'], ['cars', '--help'], ['--help']]) {
      const { stdout } = await cs(line, { as: 'terminal', columns });
      // A term, and what is to be copied, stay on a line of their own.
      const long = stdout
        .split('\n')
        .filter(
          (text) =>
            text.length > columns &&
            !/^ {2,6}\S+( (<.*|\[.*|-.*))?$|^ {2}\$ |^ {2}-\w, --|^ {6}--|^ {2}cs /.test(text),
        );
      expect(long).toEqual([]);
    }
  });
  test('is in colour with --color', async () => {
    expect(listHelp).not.toContain('\u001b[');
    expect((await cs(['cars', 'list', '--help', '--color', 'always'])).stdout).toContain(
      '\u001b[1mUSAGE\u001b[22m',
    );
    expect((await cs(['cars', 'list', '--help'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(
      '\u001b[1mUSAGE\u001b[22m',
    );
  });
  test('and version work with a broken configuration', async () => {
    const env = { CS_CONFIG_DIR: '/dev/null/nothing' };
    const said =
      /^Couldn't read the configuration .*config\.json: .* Run `cs doctor` for help\.\n$/;
    for (const line of [
      ['cars', 'list', '--help'],
      ['help', 'keys'],
      [],
      ['--version'],
      ['version'],
      ['completion', 'bash'],
    ]) {
      const { code, stdout, stderr } = await cs(line, { env });
      expect([line, code, stdout]).toEqual([line, 0, (await cs(line)).stdout]);
      expect(stderr).toMatch(said);
      expect((await cs(line)).stderr).toBe('');
    }
  });
  test("isn't requested after --", async () => {
    expect(
      await cs(['cars', 'get', '--', '--help'], { env: { CS_CONFIG_DIR: '/nowhere' } }),
    ).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('unknown commands and topics', () => {
  test.each([
    [['help', 'exit-code'], 'Unknown command or topic "exit-code".', 'did you mean exit-codes?'],
    [['cars', 'lits', '--help'], 'Unknown command "lits".', 'did you mean list?'],
    [['help', 'cars', 'keys'], 'Unknown command "keys".', '`cs cars --help` lists the commands'],
    [['completion', 'bsah'], 'shell: "bsah" isn\'t one of bash, zsh, fish.', 'did you mean bash?'],
    [
      ['templates', 'prune', '--keep', '-1'],
      '--keep: "-1" isn\'t a whole number.',
      'write it as --keep <number>',
    ],
  ])('cs %j', async (line, message, hint) => {
    const { code, stdout, error } = await cs(line);
    expect([code, stdout, error.hint]).toEqual([2, '', hint]);
    expect(error.message).toMatch(message);
  });
});

test('the name of a topic looks like a command', async () => {
  expect((await cs(['keys', '--help'])).stdout).toBe((await cs(['help', 'keys'])).stdout);
});

test.each([[['--version']], [['-q', '--version']], [['--version', 'cars', 'list']]])(
  'cs %j tells the version',
  async (line) => {
    expect(await cs(line)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  },
);
test.each([[['version']], [['version', '-o', 'json']]])(
  'cs %j tells where it comes from, too',
  async (line) => {
    const { code, stdout, stderr } = await cs(line);
    expect([code, stdout, stderr]).toEqual([0, `${version} (checkout)\n`, '']);
  },
);
test('the word version is a command like any other', async () => {
  expect((await cs(['version', '--help'])).stdout).toContain('USAGE\n  cs version [flags]');
  expect((await cs(['--help'])).stdout).toMatch(/^ {2}version +Show the version$/m);
  expect((await cs(['__complete', 'vers'])).stdout).toBe('version\tShow the version\n');
  expect((await cs(['versoin'])).error.hint).toBe('did you mean version?');
});
