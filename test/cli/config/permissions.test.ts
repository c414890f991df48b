/** Files with keys that other users of the machine can open. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
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
test('doctor warns about an open key file', async () => {
  await writeFile(join(home, 'key.txt'), 'csk_a.b');
  await chmod(join(home, 'key.txt'), 0o644);
  const env = { CS_BASE_URL: server.url, CS_KEY_FILE: 'key.txt' };
  const told = `The key file ${join(home, 'key.txt')} is readable by other users of this machine`;
  const doctor = await cs(['doctor'], { home, cwd: home, env: { XDG_CONFIG_HOME: home, ...env } });
  expect(doctor.json.checks).toContainEqual(
    expect.objectContaining({ state: 'warning', found: expect.stringContaining(told) }),
  );
});

test('doctor warns about an open configuration', async () => {
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
  'a folder of mode %o without a configuration: doctor warns if others can create one',
  async (mode, told) => {
    await rm(file);
    await chmod(folder, mode);
    const env = { CS_CONFIG_DIR: folder, CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' };
    const warning = `Other users of this machine can put a configuration into ${folder}; restrict it with \`chmod 700 ${folder}\`.`;
    const { json } = await cs(['doctor'], { home, env });
    const found = json.checks.find(({ name }: { name: string }) => name === 'configuration');
    expect([found.state, found.found]).toEqual(
      told ? ['warning', warning] : ['ok', expect.stringContaining('none yet')],
    );
  },
);
