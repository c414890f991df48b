import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtCs, builtServe } from '../../helpers/built.ts';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { openTerminal } from '../../helpers/terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

describe('in a pipe', () => {
  test('says on one line where it is, serves, logs JSON without secrets, and ends with 0 when it is asked to', async () => {
    const data = join(folder, 'data');
    const service = await builtServe(data);
    expect(service).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), data });

    const secret = `csk_${'a'.repeat(12)}.${'s'.repeat(43)}`;
    const answer = await fetch(`${service.url}/api/v1/cars?q=private-words`, { headers: { 'x-api-key': secret } });
    expect(answer.status).toBe(401);
    await answer.text();
    const { exitCode, stdout } = await service.stop('SIGTERM');
    expect({ exitCode, lines: stdout.split('\n').length, first: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      lines: 1,
      first: { url: service.url, data },
    });

    const logged = service
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({ method: 'GET', path: '/api/v1/cars', status: 401, reqId: answer.headers.get('x-request-id') }),
    );
    expect(service.log()).not.toContain('sssss');
    expect(service.log()).not.toContain('private-words');
  });

  test('a second service on the same folder is refused, and told where the first one is', async () => {
    const service = await builtServe(folder);
    const second = await builtCs(['serve', '--port', '0', '--data', folder]);
    await service.stop('SIGINT');
    expect(second.exitCode).toBe(7);
    expect(second.stdout).toBe('');
    const { error } = JSON.parse(String(second.stderr));
    expect(error).toMatchObject({ code: 'data_in_use', exitCode: 7 });
    expect(error.message).toContain(folder);
    expect(error.hint).toContain(service.url);
  });

  test('what was killed can be started again at once', async () => {
    const killed = await builtServe(folder);
    await killed.stop('SIGKILL');
    const next = await builtServe(folder);
    expect((await fetch(`${next.url}/healthz`)).status).toBe(200);
    expect((await next.stop('SIGTERM')).exitCode).toBe(0);
  });
});

test('on a terminal it says what a person wants to know, and how to go on', async () => {
  const terminal = openTerminal(['serve', '--port', '0', '--data', folder]);
  await terminal.waitFor(`Ready at http://127.0.0.1:`);
  await terminal.waitFor(folder);
  await terminal.waitFor('cs admin team create');
  terminal.press('ctrl-c');
  await terminal.waitFor('Stopped.');
  expect(await terminal.exited).toBe(0);
});

describe('what stands in the way is told before anything is served', () => {
  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, error } = await cs(['serve', '--port', String(port), '--data', folder]);
    taken.close();
    expect({ code, error }).toMatchObject({
      code: 7,
      error: { code: 'port_in_use', message: expect.stringContaining(String(port)), hint: expect.stringContaining('--port') },
    });
  });

  test.each([
    ['a port that is none', ['--port', '70000'], 2, '--port'],
    ['a port that is no number', ['--port', 'high'], 2, '--port'],
    ['a log level that is none', ['--log-level', 'loud'], 2, '--log-level'],
    ['an address that is not of this machine', ['--host', '192.0.2.1', '--port', '0'], 2, '192.0.2.1'],
  ])('%s', async (_name, argv, code, named) => {
    const result = await cs(['serve', '--data', folder, ...argv]);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.error.message).toContain(named);
  });

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, error } = await cs(['serve', '--port', '0', '--data', file]);
    expect({ code, error }).toMatchObject({
      code: 2,
      error: { code: 'data_unusable', message: expect.stringContaining(file), hint: expect.stringContaining('--data') },
    });
  });

  test('a database that is none is left as it is', async () => {
    await mkdir(join(folder, 'data'));
    const file = join(folder, 'data', 'cs.sqlite');
    await writeFile(file, 'these are somebody’s notes, not a database\n'.repeat(100));
    const { code, error } = await cs(['serve', '--port', '0', '--data', join(folder, 'data')]);
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'data_unusable' } });
  });
});
