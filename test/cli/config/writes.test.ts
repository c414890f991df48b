/** A profile that is read-only, or marked production: no command writes past it. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../src/cli/config/connection.ts';
import { createWrites } from '../../../src/cli/config/writes.ts';
import { cs } from '../../helpers/cli.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { removeFolder } from '../../helpers/folder.ts';
import { forMany, offenders } from '../../helpers/offenders.ts';
import { makeProfile } from '../../helpers/profile.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

const lines = await everyLine();
afterAll(() => lines.close());
/** The connection of the profile alone. */
const noConnection = { CS_BASE_URL: '', CS_API_KEY: '' };

const service = await testService();
const readOnly = await makeProfile({ baseUrl: service.url, key: service.key, readOnly: true });
const production = await makeProfile({ baseUrl: service.url, key: service.key, production: true });
afterAll(async () => {
  for (const folder of [readOnly, production]) await removeFolder(join(folder, '..'));
});

/** What was sent is in the wire log. */
const sentWrites = (stderr: string) =>
  stderr.split('\n').filter((line) => /^\* (POST|PATCH|DELETE) /.test(line));
const run = (folder: string, words: string[], stdin?: string) =>
  cs([...words, '-v', '-o', 'table'], { stdin, env: { CS_CONFIG_DIR: folder } });

test(
  'every command that writes is refused by a read-only profile, and asks for confirmation on a production one',
  async () => {
    const connection = { baseUrl: lines.server.url, key: 'csk_a.b' };
    const [readOnly, production] = await Promise.all([
      makeProfile({ ...connection, readOnly: true }),
      makeProfile({ ...connection, production: true }),
    ]);
    const of = (folder: string) => ({ env: { ...noConnection, CS_CONFIG_DIR: folder } });
    const found = await offenders(lines.writing, async (known) => {
      const refused = await lines.run(known, of(readOnly));
      expect([refused.code, refused.requests], refused.stderr).toEqual([5, []]);
      expect(refused.stderr).toContain('The profile \\"work\\" is read-only; nothing was sent.');
      const line = known.line.filter((word) => word !== '--yes');
      const asked = await lines.run({ ...known, line }, of(production));
      const writes = asked.requests.filter(({ method }) => method !== 'GET');
      expect([asked.code, writes], asked.stderr).toEqual([2, []]);
      expect(asked.stderr).toContain('--yes');
    });
    expect(found).toEqual([]);
    for (const folder of [readOnly, production]) await removeFolder(join(folder, '..'));
  },
  forMany,
);

test("clients are created in one place, and only by code that may skip the profile's protection", async () => {
  const root = join(import.meta.dirname, '../../../src/cli');
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const),
  );
  const using = (pattern: RegExp) =>
    texts.flatMap(([name, text]) => (pattern.test(text) ? [name] : [])).sort();
  expect(using(/\bcreate(Client|Transport)\(|from 'undici'|\bfetch\(/)).toEqual([
    // The health check of its own service, without a key.
    'commands/serve/serve.ts',
    'framework/connect.ts',
    // A number of a release, without a key.
    'framework/update-notice.ts',
  ]);
  // The server that a phone sends photos to.
  expect(using(/from 'node:https?'/)).toEqual(['phone/server.ts']);
  // Beside the context's own: reads alone, and the service that `demo` has started itself.
  expect(using(/(import\(|from )'[./]*(framework\/)?connect\.ts'/)).toEqual([
    'commands/auth/login.ts',
    'commands/auth/status.ts',
    'commands/demo/demo.ts',
    'commands/doctor/run-checks.ts',
    'commands/open/open.ts',
    'framework/create-context.ts',
  ]);
});

describe('a production profile', () => {
  test('writes with --yes; reads and dry runs need no prompt', async () => {
    const made = await run(production, ['locations', 'create', '--name', 'Agreed', '--yes']);
    expect([made.code, sentWrites(made.stderr).length]).toEqual([0, 1]);
    expect((await run(production, ['locations', 'list'])).code).toBe(0);
    const planned = await run(production, 'locations create --name Planned --dry-run'.split(' '));
    expect([planned.code, sentWrites(planned.stderr)]).toEqual([0, []]);
    expect(planned.stdout).toContain('POST /api/v1/locations');
  });

  test('asks once for all photos, before the first', async () => {
    const car = await facility(service).car({ nickname: 'Asked' });
    const folder = join(production, '..');
    const files = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const file = join(folder, `photo-${number}.png`);
        await writeFile(file, Buffer.from(base64Of(png(900 + number)), 'base64'));
        return file;
      }),
    );
    const unasked = await run(production, ['cars', 'photos', 'add', car.id, ...files]);
    expect([unasked.code, sentWrites(unasked.stderr)]).toEqual([2, []]);
    const terminal = openTerminal(['cars', 'photos', 'add', car.id, ...files], {
      env: { CS_CONFIG_DIR: production },
    });
    await terminal.waitFor('The profile work is production. Write to');
    terminal.type('y\r');
    await terminal.waitFor(/photo-3\.png/);
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw().split('Write to').length).toBeLessThan(8);
    expect(await facility(service).read(`/cars/${car.id}/photos`)).toHaveLength(3);
  });

  test('is named in the only confirmation of a flow', async () => {
    const made = facility(service);
    const { id: locationId } = await made.location();
    const spot = await made.spot(locationId);
    const car = await made.car({ nickname: 'Flow' });
    const line = `dropoff --car ${car.id} --type drop_off --spot ${spot.id} --notes hi`;
    const terminal = openTerminal(line.split(' '), { env: { CS_CONFIG_DIR: production } });
    await terminal.waitFor('Photos');
    terminal.press('enter');
    await terminal.waitFor('Store this drop-off? (work is production)');
    terminal.type('y\r');
    await terminal.waitFor('is parked in');
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw()).not.toContain('Write to');
    expect(await made.read(`/cars/${car.id}`)).toMatchObject({ status: 'stored' });
  });

  test('a read-only profile refuses a flow before its first prompt', async () => {
    const terminal = openTerminal(['pickup'], { env: { CS_CONFIG_DIR: readOnly } });
    await terminal.waitFor('is read-only; nothing was sent');
    expect(await terminal.exited).toBe(5);
  });

  test('a read-only profile is asked nothing', () => {
    const connection = () => ({ readOnly: true, profile: { value: 'work' } }) as Connection;
    const writes = createWrites({
      connection,
      yes: false,
      interactive: () => true,
      ask: async () => true,
    });
    expect(() => writes.questionFor('Delete it?')).toThrow('is read-only; nothing was sent.');
  });

  test('the answer no exits 13 and sends nothing', async () => {
    const terminal = openTerminal(['locations', 'create', '--name', 'Refused'], {
      env: { CS_CONFIG_DIR: production },
    });
    await terminal.waitFor('The profile work is production. Write to');
    terminal.press('enter');
    await terminal.waitFor('Nothing was sent.');
    expect(await terminal.exited).toBe(13);
    expect(
      (await cs(['locations', 'get', 'Refused'], { env: { CS_CONFIG_DIR: production } })).code,
    ).toBe(6);
  });
});

test('the marks of a profile are kept by another login, and changed by its flags', async () => {
  const folder = await makeProfile({ baseUrl: service.url, key: service.key, production: true });
  onTestFinished(() => removeFolder(join(folder, '..')));
  const at = (words: string[], stdin?: string) =>
    cs(words, { stdin, env: { CS_CONFIG_DIR: folder } });
  const login = (...marks: string[]) => at(['auth', 'login', '--with-key', ...marks], service.key);
  expect((await login()).json).toMatchObject({ production: true });
  const changed = await login('--no-production', '--read-only');
  expect(changed.json).toMatchObject({ production: false, readOnly: true });
  expect((await at(['locations', 'create', '--name', 'X'])).code).toBe(5);
  await at(['profiles', 'set', 'work', '--no-read-only']);
  expect((await at(['locations', 'create', '--name', 'X'])).code).toBe(0);
  for (const flag of ['production', 'read-only']) {
    const both = await at(['profiles', 'set', 'work', `--${flag}`, `--no-${flag}`]);
    expect([both.code, both.error.message]).toEqual([
      2,
      `--${flag} and --no-${flag} can't be used together.`,
    ]);
  }
});
