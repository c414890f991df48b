/** `cs open` against a service with a dashboard, one without, and a server of another team. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { noon } from '../../../helpers/other-facility.ts';
import { startOtherServer } from '../../../helpers/other-server.ts';
import { startTestService, testService } from '../../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const open = (page: string[], more: Parameters<typeof cs>[1] = {}) =>
  cs(['open', ...page], { ...more, env: { ...env, ...more.env } });

test('prints the address of a page or a car; the board without a word', async () => {
  const car = await facility(service).car({ licensePlate: 'HH-RS 73' });
  expect(await open([])).toMatchObject({
    code: 0,
    stderr: '',
    json: { url: `${service.url}/dashboard/board` },
  });
  expect(await open(['keys'])).toMatchObject({ json: { url: `${service.url}/dashboard/keys` } });
  expect(await open(['hh-rs 73'])).toMatchObject({
    json: { url: `${service.url}/dashboard/cars/${car.id}` },
  });
  expect(await open(['HH-NO 1'])).toMatchObject({ code: 6 });
});

test('a page needs no key; a car, which is looked up, does', async () => {
  const unsigned = { env: { CS_BASE_URL: service.url } };
  expect(await cs(['open', 'keys'], unsigned)).toMatchObject({
    code: 0,
    stderr: '',
    json: { url: `${service.url}/dashboard/keys` },
  });
  expect(await cs(['open', 'Greta'], unsigned)).toMatchObject({
    code: 4,
    error: { code: 'not_signed_in' },
  });
});

/** A folder with an `xdg-open` that notes the address. */
async function withOpener(exit: number) {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const program = join(folder, 'xdg-open');
  await writeFile(program, `#!/bin/sh\nprintf %s "$1" > ${folder}/opened\nexit ${exit}\n`);
  await chmod(program, 0o755);
  return {
    opened: () => readFile(join(folder, 'opened'), 'utf8'),
    env: { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' },
  };
}

test('on a terminal with a screen the browser opens', async () => {
  const { opened, env } = await withOpener(0);
  const { code, stdout, stderr } = await open(['today'], { as: 'terminal', env });
  expect([code, stdout.trim(), stderr.trim()]).toEqual([
    0,
    `${service.url}/dashboard/today`,
    'Opened in the browser.',
  ]);
  expect(await opened()).toBe(`${service.url}/dashboard/today`);
});

test.each<[string, number, Record<string, string | undefined>]>([
  ['the program fails', 4, {}],
  ['the terminal is elsewhere', 0, { SSH_CONNECTION: '10.0.0.2 50000 10.0.0.1 22' }],
])('where %s, the address is enough', async (_name, exit, more) => {
  const { env } = await withOpener(exit);
  const { code, stdout, stderr } = await open([], {
    as: 'terminal',
    env: { ...env, ...more } as Record<string, string>,
  });
  expect([code, stdout.trim()]).toEqual([0, `${service.url}/dashboard/board`]);
  expect(stderr).toContain('No browser could be started here');
});

test('a server without a dashboard is told as such', async () => {
  const plain = await startTestService({ dashboard: false });
  const other = await startOtherServer(() => noon);
  onTestFinished(async () => {
    await plain.close();
    await other.close();
  });
  for (const [url, key] of [
    [plain.url, plain.key],
    [other.url, 'csk_a.b'],
  ] as const) {
    const { code, error } = await cs(['open'], { env: { CS_BASE_URL: url, CS_API_KEY: key } });
    expect([code, error.code, error.message]).toEqual([
      9,
      'operation_missing',
      `${url} has no team dashboard.`,
    ]);
  }
});

test('a dashboard that is refused at this address is a matter of the operator', async () => {
  const server = await startMisbehavingServer(() =>
    json(403, { error: 'The dashboard needs https', code: 'insecure_address', details: null }),
  );
  onTestFinished(() => server.close());
  const { error } = await cs(['open'], {
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' },
  });
  expect(error).toMatchObject({
    exitCode: 9,
    message: 'The dashboard needs https.',
    hint: 'tell the operator of the server',
  });
});

test('an answer that no dashboard gives is none', async () => {
  const server = await startMisbehavingServer(() => json(200, { data: { id: '1' } }));
  onTestFinished(() => server.close());
  const { code, stdout, error } = await cs(['open'], {
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' },
  });
  expect([code, stdout, error.message]).toEqual([9, '', `${server.url} has no team dashboard.`]);
});
