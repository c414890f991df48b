/** The commands that work on the service's data and not through its interface, which the lines of the other files leave out. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { kindOfFlag } from '../../helpers/command-line.ts';
import { everyCommand, ofTheService, runnable } from '../../helpers/every-command.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';
import { hostile, steering } from '../../helpers/steering.ts';

const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const broken = join(folder, 'broken');
mkdirSync(broken);
writeFileSync(join(broken, 'config.json'), '{"profiles": ');
writeFileSync(join(folder, 'file'), '');

const commands = runnable(await everyCommand()).filter(
  ({ name, words }) =>
    // Needs an S3 store: test/service/files/s3.test.ts runs it on one.
    ofTheService.has(words[0] as string) && name !== 'admin files copy',
);

/** What follows the words of each, so that it works on data with a team, a key and an event type. */
const given: Readonly<Record<string, string>> = {
  serve: '--port 0',
  demo: '',
  'admin team create': 'Annex',
  'admin team list': '',
  'admin team quota': 'garage 50GB',
  'admin team sender add': '@garage.example --team garage',
  'admin team sender list': '--team garage',
  'admin team sender remove': 'office@garage.example --team garage',
  'admin key create': '--team garage --name gate --all-scopes',
  'admin key list': '--team garage',
  'admin key revoke': 'counter',
  'admin user add': 'anna@garage.example --team garage',
  'admin user link': 'boss@garage.example --team garage',
  'admin user list': '--team garage',
  'admin user remove': 'boss@garage.example --team garage --yes',
  'admin user sessions': 'boss@garage.example --end --team garage',
  'admin screen add': 'Hall-B --team garage',
  'admin screen link': 'Hall-A --team garage',
  'admin screen list': '--team garage',
  'admin screen remove': 'Hall-A --team garage',
  'admin integration on': '--team garage',
  'admin integration off': '--team garage',
  'admin event-type create': '--team garage --value tyre_change --name Tyres',
  'admin event-type list': '--team garage',
  'admin event-type photos': 'drop_off front,rear --team garage',
  'admin backup': 'new',
  'admin restore': 'backup --data restored',
  'admin check': '',
  'admin outbox list': '',
  'admin outbox retry': '--all',
  'admin outbox drop': '019aa0a3-4d00-7000-8000-0000000000aa --yes',
};
const lineOf = (name: string) => (given[name] ?? '').split(' ').filter(Boolean);

test('every command has a line, without others', () => {
  expect(Object.keys(given).sort()).toEqual(commands.map(({ name }) => name).sort());
});

/** Those that find nothing to do in such data. */
const failing: Readonly<Record<string, number>> = { 'admin outbox drop': 6 };

const seeded = join(folder, 'seeded');
beforeAll(async () => {
  const env = { CS_DATA: join(seeded, 'data') };
  const seed = async (...words: string[]) =>
    expect(await cs(['admin', ...words], { env, cwd: seeded })).toMatchObject({ code: 0 });
  mkdirSync(seeded);
  await seed('team', 'create', 'Garage', '--timezone', 'UTC');
  await seed('key', 'create', '--team', 'garage', '--name', 'counter', '--scope', 'read:cars');
  await seed('user', 'add', 'boss@garage.example', '--team', 'garage');
  await seed('screen', 'add', 'Hall-A', '--team', 'garage');
  await seed('team', 'sender', 'add', 'office@garage.example', '--team', 'garage');
  await seed('backup', 'backup');
});

let copies = 0;
/** A copy of the data for each run, since most change it. A service is asked to stop as soon as it is there. */
function surroundings(name: string): CliOptions {
  const cwd = join(folder, `copy-${++copies}`);
  cpSync(seeded, cwd, { recursive: true });
  // A copy has the modes that the umask leaves, which a check reports.
  for (const path of ['data', 'data/files']) chmodSync(join(cwd, path), 0o700);
  const stopped = AbortSignal.abort(new Interrupted('SIGTERM'));
  const env = { CS_DATA: join(cwd, 'data'), CS_CONFIG_DIR: join(cwd, 'config') };
  return { cwd, home: cwd, env, ...(name === 'serve' ? { signal: stopped } : {}) };
}

const told = (stderr: string) =>
  JSON.parse(stderr.trim().split('\n').at(-1) as string).error as {
    message: string;
    exitCode: number;
  };

test(
  'reports unusable data as one object, with nothing on stdout',
  async () => {
    const data = join(folder, 'file', 'data');
    const env = { CS_DATA: data, CS_CONFIG_DIR: broken, XDG_DATA_HOME: data };
    const found = await offenders(commands, async ({ words, info }) => {
      const needed = info.arguments.filter(({ required }) => required).map(() => 'x');
      const options = { env, home: join(folder, 'file'), cwd: folder };
      const { code, stdout, stderr } = await cs([...words, ...needed], options);
      expect([stdout, told(stderr).exitCode]).toEqual(['', code]);
      expect([0, 1]).not.toContain(code);
      expect(told(stderr).message).toMatch(/\S/);
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  "stdout is valid JSON and nothing else, and a closed pipe isn't an error",
  async () => {
    const found = await offenders(commands, async ({ name, words }) => {
      const line = [...words, ...lineOf(name)];
      const { code, stdout } = await cs([...line, '-o', 'json'], surroundings(name));
      expect(code, stdout).toBe(failing[name] ?? 0);
      if (code !== 0) return expect(stdout).toBe('');
      expect(() => JSON.parse(stdout)).not.toThrow();
      const closed = new Writable();
      closed.destroy();
      // Nobody stops it: a service that can't say where it is ends by itself.
      const options = { ...surroundings(name), signal: undefined, stdout: closed };
      expect(await cs(line, options)).toMatchObject({ code: 0 });
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test(
  'invalid flag values',
  async () => {
    const wrong = {
      choice: ['no-such-value'],
      number: ['many', '-1'],
      time: ['never-ever'],
      other: [],
    };
    const found = await offenders(commands, async ({ name, words, info }) => {
      const flags = info.flags.filter(({ value, global }) => value === 'required' && !global);
      for (const flag of flags)
        for (const value of wrong[kindOfFlag(flag)]) {
          const line = [...words, ...lineOf(name), `${flag.long}=${value}`, '-o', 'table'];
          const { code, stdout, stderr } = await cs(line, {
            ...surroundings(name),
            signal: undefined,
          });
          expect([2, 3], `${line.join(' ')}: ${stderr}`).toContain(code);
          expect([stdout, stderr.includes(flag.long)]).toEqual(['', true]);
        }
    });
    expect(found).toEqual([]);
  },
  forMany,
);

test.each(['admin team list', 'admin key list', 'admin event-type list'])(
  'cs %s shows harmless text',
  async (name) => {
    const around = surroundings(name);
    const run = (...line: string[]) => cs(line, { ...around, as: 'terminal' });
    for (const line of [
      ['team', 'create', `Evil ${hostile}`],
      ['key', 'create', '--team', 'garage', '--name', `evil ${hostile}`, '--all-scopes'],
      ['event-type', 'create', '--team', 'garage', '--value', 'evil', '--name', `evil ${hostile}`],
    ]) {
      const { stdout, stderr } = await run('admin', ...line);
      expect(steering.exec(stdout + stderr)).toBeNull();
    }
    for (const format of ['table', 'json']) {
      const { code, stdout, stderr } = await run(...name.split(' '), ...lineOf(name), '-o', format);
      expect([code, steering.exec(stdout + stderr)]).toEqual([0, null]);
    }
  },
);
