/** Files that hold keys are closed to other users of the machine, or told of, by whatever command runs first. */
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { type SampleServer, startSampleServer } from '../../helpers/sample-server.ts';

let server: SampleServer;
let home: string;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  home = await makeFolder();
  folder = join(home, 'car-storage');
  file = join(folder, 'config.json');
  await mkdir(folder, { mode: 0o700 });
  await write(0o600);
});
afterEach(() => removeFolder(home));

const config = () =>
  JSON.stringify({
    currentProfile: 'main',
    profiles: { main: { baseUrl: server.url, key: 'csk_a.b' } },
  });
async function write(mode: number) {
  await writeFile(file, config());
  await chmod(file, mode);
}
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
/** With the configuration where the platform keeps it. */
const list = (env: CliOptions['env'] = {}, ...flags: string[]) =>
  cs(['cars', 'list', ...flags], { home, cwd: home, env: { XDG_CONFIG_HOME: home, ...env } });

test('no note about private files', async () => {
  const { code, stderr } = await list();
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  [0o644, 0o700],
  [0o640, 0o700],
  [0o602, 0o700],
  [0o600, 0o755],
  [0o666, 0o777],
])(
  'a file of mode %o in a folder of mode %o becomes private, with one note',
  async (fileMode, folderMode) => {
    await chmod(file, fileMode);
    await chmod(folder, folderMode);
    const first = await list();
    expect(first.code).toBe(0);
    expect(first.stderr).toContain(
      'was open to other users of this machine; access is now restricted. Replace its keys',
    );
    expect([await modeOf(file), await modeOf(folder)]).toEqual(['600', '700']);
    expect((await list()).stderr).toBe('');
  },
);

test('a folder in CS_CONFIG_DIR stays unchanged, with a warning; the file becomes private', async () => {
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  const { code, stderr } = await list({ CS_CONFIG_DIR: folder });
  expect(code).toBe(0);
  expect(stderr).toContain(`${file} was open`);
  expect(stderr).toContain(`restrict it with \`chmod 700 ${folder}\``);
  expect([await modeOf(file), await modeOf(folder)]).toEqual(['600', '755']);
  expect((await list({ CS_CONFIG_DIR: folder }, '-q')).stderr).toBe('');
});

test('warns about an open key file, also in doctor', async () => {
  await writeFile(join(home, 'key.txt'), 'csk_a.b');
  await chmod(join(home, 'key.txt'), 0o644);
  const env = { CS_BASE_URL: server.url, CS_KEY_FILE: 'key.txt' };
  const told = `The key file ${join(home, 'key.txt')} is readable by other users of this machine`;
  expect((await list(env)).stderr).toContain(told);
  const doctor = await cs(['doctor'], { home, cwd: home, env: { XDG_CONFIG_HOME: home, ...env } });
  expect(doctor.json.checks).toContainEqual(
    expect.objectContaining({ state: 'warning', found: expect.stringContaining(told) }),
  );
  await chmod(join(home, 'key.txt'), 0o600);
  expect((await list(env)).stderr).toBe('');
});

test('doctor reports the permissions before they are changed', async () => {
  await chmod(file, 0o644);
  const { json } = await cs(['doctor'], { home, env: { XDG_CONFIG_HOME: home } });
  expect(json.checks).toContainEqual(
    expect.objectContaining({
      state: 'warning',
      found: expect.stringMatching(/^other users .* can read .*config\.json$/),
    }),
  );
});

test.each([
  [0o777, true],
  [0o770, true],
  [0o755, false],
  [0o700, false],
])(
  'a folder of mode %o without a configuration: warns if others can create one',
  async (mode, told) => {
    await rm(file);
    await chmod(folder, mode);
    const env = { CS_CONFIG_DIR: folder, CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' };
    const warning = `Other users of this machine can put a configuration into ${folder}; restrict it with \`chmod 700 ${folder}\`.`;
    const { code, stderr } = await list(env);
    expect([code, stderr]).toEqual([0, told ? expect.stringContaining(warning) : '']);
    const { json } = await cs(['doctor'], { home, env });
    const found = json.checks.find(({ name }: { name: string }) => name === 'configuration');
    expect([found.state, found.found]).toEqual(
      told ? ['warning', warning] : ['ok', expect.stringContaining('none yet')],
    );
  },
);
