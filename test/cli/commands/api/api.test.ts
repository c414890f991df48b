/** `cs api` against the real service, and against servers that do as a script says. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  json,
  type MisbehavingServer,
  raw,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import { startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const folder = await makeFolder();
const make = facility(service);
const car = await make.car({ licensePlate: 'WN AB 123', nickname: 'Greta' });
const photo = await make.photo(car.id, {
  filename: 'front.png',
  base64: png(7).toString('base64'),
});
await Promise.all(
  ['mail/old', 'why?'].map((name) =>
    service.call('POST', '/marketing/templates', { name, channel: 'email', body: 'Hello' }),
  ),
);
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

const api = (line: string[], options: CliOptions = {}) =>
  cs(['api', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...options.env },
  });
const dryRun = async (line: string[], options: CliOptions = {}) =>
  (await api([...line, '--dry-run'], options)).json;

describe('paths', () => {
  test.each([['/cars'], ['cars'], ['/api/v1/cars'], ['api/v1/cars']])('%s', async (path) => {
    const { code, json: cars } = await api([path]);
    expect([code, cars.map(({ id }: { id: string }) => id)]).toEqual([0, [car.id]]);
  });
  test.each([
    ['/../../healthz'],
    ['/cars/../../../healthz'],
    ['/cars#x'],
    ['/%2e%2e/%2e%2e/healthz'],
    ['/..\\..\\healthz'],
    [''],
  ])('%j does not leave the interface', async (path) => {
    expect((await api([path])).code).toBe(2);
  });
  test('braces contain the name of a record', async () => {
    expect((await api(['/cars/{wn ab 123}'])).json.id).toBe(car.id);
    expect((await api(['/cars/{Greta}/photos/{front.png}'])).json.id).toBe(photo.id);
    expect((await api([`/cars/${car.id}/photos/{front.png}`])).json.id).toBe(photo.id);
    expect((await api(['/marketing/templates/{mail/old}'])).json.name).toBe('mail/old');
    expect((await api(['/marketing/templates/{why?}'])).json.name).toBe('why?');
    expect((await api(['/cars/{Nobody}'])).error).toMatchObject({ code: 'not_found', exitCode: 6 });
  });
});

describe('methods', () => {
  test('accepts any case, and refuses an unknown method', async () => {
    expect(await dryRun(['post', '/cars'])).toMatchObject({ method: 'POST', path: '/api/v1/cars' });
    expect((await api(['PUT', '/cars'])).error).toMatchObject({
      message: '"PUT" isn\'t a supported method.',
      exitCode: 2,
    });
  });
  test('a word with a slash is the path', async () => {
    expect((await api(['/cars', '--json=id'])).json).toEqual([{ id: car.id }]);
    expect((await api(['--json', 'GET', '/cars'])).json[0]).toMatchObject({
      id: car.id,
      nickname: 'Greta',
    });
  });
  test('creates, updates and deletes', async () => {
    const fields = '-f firstName=Bo -f lastName=Ek -F isPrimary=false';
    const made = await api(['POST', '/contacts', ...fields.split(' ')]);
    expect([made.code, made.json]).toEqual([
      0,
      expect.objectContaining({ firstName: 'Bo', isPrimary: false }),
    ]);
    const path = `/contacts/${made.json.id}`;
    expect(
      (await api(['PATCH', path, '-F', 'email=null', '-f', 'firstName=Bob'])).json,
    ).toMatchObject({ firstName: 'Bob', email: null });
    expect((await api(['DELETE', path])).error).toMatchObject({ code: 'usage', exitCode: 2 });
    expect((await api([path])).code).toBe(0);
    expect((await api(['DELETE', path, '--yes'])).json).toEqual({
      id: made.json.id,
      deleted: true,
    });
    expect((await api([path])).error).toMatchObject({
      code: 'not_found',
      status: 404,
      exitCode: 6,
    });
  });
});

describe('fields', () => {
  const body = async (fields: string) => (await dryRun(['POST', '/x', ...fields.split(' ')])).body;

  test('-f sends text, -F sends typed values', async () => {
    expect(await body('-f a=1 -f b=true -f c= -f d=x=y -f e=@f')).toEqual({
      ...{ a: '1', b: 'true', c: '', d: 'x=y', e: '@f' },
    });
    expect(await body('-F a=1 -F b=true -F c=null -F d=-1.5e2 -F e=01 -F f=False')).toEqual({
      ...{ a: 1, b: true, c: null, d: -150, e: '01', f: 'False' },
    });
  });
  test('objects and lists keep the given order', async () => {
    expect(await body('-f a[b]=1 -F a[c][d]=2 -f l[]=x -F l[]=3 -f l[]=y')).toEqual({
      a: { b: '1', c: { d: 2 } },
      l: ['x', 3, 'y'],
    });
  });
  test.each([
    ['-f', 'a=1', '-f', 'a=2'],
    ['-f', 'a=1', '-f', 'a[b]=2'],
    ['-f', 'a=1', '-f', 'a[]=2'],
    ['-f', 'a[]=1', '-f', 'a[b]=2'],
  ])('%s %s %s %s: a field is given once', async (...fields) => {
    const field = fields.at(-1)?.split('=', 1)[0];
    expect((await api(['POST', '/x', ...fields, '--dry-run'])).error).toMatchObject({
      exitCode: 2,
      message: `--raw-field ${field} is given twice.`,
    });
  });
  test('files and stdin', async () => {
    writeFileSync(join(folder, 'note.txt'), 'two\nlines\n');
    expect(await body('-F notes=@note.txt')).toEqual({ notes: 'two\nlines\n' });
    expect((await dryRun(['POST', '/x', '-F', 'notes=@-'], { stdin: 'from stdin' })).body).toEqual({
      notes: 'from stdin',
    });
  });
  test('sends a query unchanged', async () => {
    const server = await startMisbehavingServer(() =>
      json(200, { data: [], page: 1, limit: 50, total: 0 }),
    );
    const env = { CS_BASE_URL: server.url };
    const sent = async (...line: string[]) => {
      await api(line, { env });
      return server.requests.at(-1)?.url;
    };
    expect(await sent('/cars?status=a&status=b&q=x%20y')).toBe(
      '/api/v1/cars?status=a&status=b&q=x%20y',
    );
    expect(await sent('/cars?status=a&status=b', '-f', 'q=c')).toBe(
      '/api/v1/cars?status=a&status=b&q=c',
    );
    expect(await sent('/cars?q=a%26b#c')).toBe('/api/v1/cars?q=a%26b%23c');
    expect((await dryRun(['/cars?status=a&status=b'])).path).toBe('/api/v1/cars?status=a&status=b');
    expect(await sent('/cars?q={a/b?c}')).toBe('/api/v1/cars?q={a/b?c}');
    await api(['/cars?status=a&status=b', '--all'], { env });
    await server.close();
    expect(server.requests.at(-1)?.url).toMatch(/^\/api\/v1\/cars\?status=a&status=b&.*page=1/);
  });
  test('become the query of a method without a body', async () => {
    expect(
      (await dryRun(['/cars?status=stored', '-f', 'limit=2', '-f', 'ids[]=a', '-f', 'ids[]=b']))
        .path,
    ).toBe('/api/v1/cars?status=stored&limit=2&ids=a%2Cb');
    expect((await dryRun(['DELETE', '/locations/x', '-F', 'hard=true'])).path).toBe(
      '/api/v1/locations/x?hard=true',
    );
    expect((await api(['/cars', '-f', 'status=archived'])).json).toEqual([]);
  });
});

describe('--input', () => {
  test('a file, stdin or JSON; fields win', async () => {
    writeFileSync(join(folder, 'car.json'), '\ufeff{"make":"Audi","year":1990}');
    for (const input of ['car.json', './car.json', ' {"make":"Audi","year":1990}'])
      expect((await dryRun(['POST', '/cars', '--input', input])).body).toEqual({
        make: 'Audi',
        year: 1990,
      });
    expect(
      (await dryRun(['POST', '/cars', '--input', '-', '-F', 'year=1991'], { stdin: '{"year":1}' }))
        .body,
    ).toEqual({ year: 1991 });
    expect((await dryRun(['POST', '/cars', '--input', '[1]'])).body).toEqual([1]);
  });
  test.each([
    [['--input', 'nowhere.json'], 2],
    [['--input', '{'], 3],
  ])('%j is exit %i', async (flags, exit) => {
    expect((await api(['POST', '/cars', ...flags])).code).toBe(exit);
  });
});

describe('headers and options of the request', () => {
  let server: MisbehavingServer;
  beforeAll(async () => {
    server = await startMisbehavingServer(() =>
      json(200, { data: { id: 'x' } }, { 'x-more': 'yes' }),
    );
  });
  afterAll(() => server.close());
  const ask = async (...line: string[]) => {
    const result = await api(line, { env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' } });
    return Object.assign(result, { request: server.requests.at(-1) });
  };

  test('--dry-run sends nothing, whatever the method', async () => {
    const before = server.requests.length;
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
      expect((await ask(method, '/cars', '--dry-run')).json).toMatchObject({
        dryRun: true,
        method,
        path: '/api/v1/cars',
      });
    expect(server.requests.length).toBe(before);
  });
  test("doesn't show secrets and bytes of a body", async () => {
    const { stdout } = await ask(
      'POST',
      '/cars',
      '-f',
      'password=secret',
      '-f',
      'base64=AAAA',
      '-n',
    );
    expect(stdout).not.toMatch(/secret|AAAA/);
  });
});

describe('answers', () => {
  test('a list prints its records and the total', async () => {
    await Promise.all(
      ['A', 'B', 'C'].map((name) => service.call('POST', '/customers', { companyName: name })),
    );
    const part = await api(['/customers?limit=2']);
    expect([part.json.length, part.stderr]).toEqual([2, '2 of 3; --all for the rest\n']);
    const all = await api(['/customers', '--all']);
    expect([all.json.length, all.stderr]).toEqual([3, '']);
    expect(
      (await api(['/customers', '--all', '-o', 'ndjson'])).stdout.trim().split('\n'),
    ).toHaveLength(3);
    expect((await api(['/customers', '--all', '-o', 'id'])).stdout.trim().split('\n')).toHaveLength(
      3,
    );
  });
  test('a table of fields unknown to the contract', async () => {
    const rows = [
      { id: 'a', name: 'One', inner: { x: 1 }, size: 3 },
      { id: 'b', name: 'Two\u001b[31m', size: null },
    ];
    const list = { data: rows, page: 1, limit: 50 };
    const server = await startMisbehavingServer([
      json(200, list),
      json(200, { ...list, total: 2 }),
    ]);
    const env = { CS_BASE_URL: server.url };
    const once = await api(['/novelties'], { as: 'terminal', env });
    const all = await api(['/novelties', '--all'], { as: 'terminal', env });
    await server.close();
    expect(once.stdout.split('\n')[0]).toMatch(/^ID +NAME +/);
    expect(once.stdout).toContain('Two␛[31m');
    expect(once.stderr).toBe('2 records, total unknown; use --all to read the rest\n');
    expect(all.stdout).toBe(once.stdout);
  });
});

describe('bytes', () => {
  const content = '/cars/{Greta}/photos/{front.png}/content';

  test('go through a pipe unchanged', async () => {
    const small = await startMisbehavingServer([raw(200, 'image/png', 'PNG-like text')]);
    const { code, stdout } = await api([`/cars/${car.id}/photos/${photo.id}/content`], {
      env: { CS_BASE_URL: small.url },
    });
    await small.close();
    expect([code, stdout]).toEqual([0, 'PNG-like text']);
  });
  test.each([[['--all']], [['--jq', '.']]])('not with %j', async (flags) => {
    expect((await api([content, ...flags])).code).toBe(2);
  });
});
