/** Files with keys that other users of the machine can open. Those of the configuration are in the transcript of cs doctor. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { type SampleServer, startSampleServer } from '../../helpers/sample-server.ts';

let server: SampleServer;
let home: string;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  home = await makeFolder();
});
afterEach(() => removeFolder(home));

const checksWith = async (env: Record<string, string>) =>
  (await cs(['doctor'], { home, cwd: home, env: { CS_BASE_URL: server.url, ...env } })).json.checks;

test('doctor warns about an open key file', async () => {
  const file = join(home, 'key.txt');
  await writeFile(file, 'csk_a.b');
  await chmod(file, 0o644);
  const told = `The key file ${file} is readable by other users of this machine`;
  expect(await checksWith({ CS_KEY_FILE: 'key.txt' })).toContainEqual(
    expect.objectContaining({ state: 'warning', found: expect.stringContaining(told) }),
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
    const folder = join(home, 'car-storage');
    await mkdir(folder);
    await chmod(folder, mode);
    const checks = await checksWith({ CS_CONFIG_DIR: folder, CS_API_KEY: 'csk_a.b' });
    const found = checks.find(({ name }: { name: string }) => name === 'configuration');
    const warning = `Other users of this machine can put a configuration into ${folder}; restrict it with \`chmod 700 ${folder}\`.`;
    expect([found.state, found.found]).toEqual(
      told ? ['warning', warning] : ['ok', expect.stringContaining('none yet')],
    );
  },
);
