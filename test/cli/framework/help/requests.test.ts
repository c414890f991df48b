/** Help, topics and the version: what is answered without a command. */
import { describe, expect, test } from 'vitest';
import { version } from '../../../../src/cli/framework/version.ts';
import { cs } from '../../../helpers/cli.ts';

describe('help', () => {
  test.each([
    ['cars list -h', 'cars list --help'],
    ['help cars list', 'cars list --help'],
    ['--help cars list', 'cars list --help'],
    ['--help cars list --', 'cars list --help'],
    ['cars list --status stored --help', 'cars list --help'],
    ['--base-url http://127.0.0.1:1 -q cars list -h', 'cars list --help'],
    ['-v', '--help'],
    ['help help', '--help'],
    ['cars help', 'cars --help'],
    ['cars events help', 'cars events --help'],
    // A topic looks like a command.
    ['keys --help', 'help keys'],
  ])('cs %s is cs %s', async (line, same) => {
    const { stdout } = await cs(same.split(' '));
    expect(await cs(line.split(' '))).toMatchObject({ code: 0, stderr: '', stdout });
  });
  test('is shown without a word', async () => {
    expect((await cs([])).stdout).toBe((await cs(['--help'])).stdout);
  });
  test('has its sections in this order', async () => {
    const sections = async (...line: string[]) => {
      const { stdout } = await cs([...line, '--help']);
      return stdout.match(/^[A-Z][A-Z ]+$/gm)?.join();
    };
    expect(await sections('cars')).toBe('USAGE,ALIASES,COMMANDS,FLAGS,EXAMPLES,LEARN MORE');
    expect(await sections('cars', 'events', 'log')).toBe(
      'USAGE,FLAGS,GLOBAL FLAGS,ARGUMENTS,EXAMPLES,LEARN MORE',
    );
    expect((await cs(['cars', '--help'])).stdout).toContain('ALIASES\n  cs car\n');
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
    const help = async (flags: string[], env = {}) =>
      (await cs(['cars', 'list', '--help', ...flags], { env })).stdout;
    const bold = '\u001b[1mUSAGE\u001b[22m';
    expect(await help([])).not.toContain('\u001b[');
    expect(await help(['--color', 'always'])).toContain(bold);
    expect(await help([], { FORCE_COLOR: '1' })).toContain(bold);
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
    // Nobody would read it.
    const given = { ...env, CS_BASE_URL: 'http://127.0.0.1:1', CS_API_KEY: 'csk_a.b' };
    expect((await cs(['--version'], { env: given })).stderr).toBe('');
  });
  test("isn't requested after --", async () => {
    expect(
      await cs(['cars', 'get', '--', '--help'], { env: { CS_CONFIG_DIR: '/nowhere' } }),
    ).toMatchObject({ code: 4, stdout: '' });
  });
});

test('the version, and as a command where it comes from', async () => {
  for (const line of [['--version'], ['-q', '--version'], ['--version', 'cars', 'list']])
    expect(await cs(line)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  for (const line of [['version'], ['version', '-o', 'json']])
    expect(await cs(line)).toMatchObject({
      ...{ code: 0, stdout: `${version} (checkout)\n`, stderr: '' },
    });
});
test('the word version is a command like any other', async () => {
  expect((await cs(['version', '--help'])).stdout).toContain('USAGE\n  cs version [flags]');
  expect((await cs(['--help'])).stdout).toMatch(/^ {2}version +Show the version$/m);
  expect((await cs(['__complete', 'vers'])).stdout).toBe('version\tShow the version\n');
});
