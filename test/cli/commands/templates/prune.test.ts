/** `cs templates prune` against the real service, with the clock set ahead so that what was just made is old. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { scopes } from '../../../../src/contract/scopes.ts';
import { createKey, createTeam } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { json, problem, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

type Template = RecordFor<'templates'>;
const service = await testService();

let key: string;
let made = 0;
const ask = async (method: string, path: string, body?: unknown) =>
  (await service.call(method, path, body, key)).body.data;
const make = (name: string, channel = 'email'): Promise<Template> =>
  ask('POST', '/marketing/templates', { name, channel, body: 'Hello' });
const names = async () =>
  ((await ask('GET', '/marketing/templates')) as Template[]).map(({ name }) => name).sort();
const later = new Date(Date.now() + 100 * 86_400_000);
const prune = (line: string[], options: CliOptions = {}) =>
  cs(['templates', 'prune', ...line], {
    now: later,
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: key, ...options.env },
  });

beforeEach(async () => {
  const team = `prune-${++made}`;
  await createTeam(service.admin, { name: team });
  key = (await createKey(service.admin, { team, name: 'ci', scopes })).key;
  for (const name of ['ci/build 1', 'ci/build 2', 'Welcome']) await make(name);
  await make('Reminder', 'sms');
});

test('keeps used templates, also those of a content step', async () => {
  const [{ id: templateId }] = await ask('GET', '/marketing/templates?q=Welcome');
  const spring = { name: 'Spring', channel: 'email' };
  const { id } = await ask('POST', '/marketing/campaigns', spring);
  const content = { templateId, subject: 'Hello' };
  await ask('POST', `/marketing/campaigns/${id}/content`, content);
  const { json: rows } = await prune(['--keep', '1', '--dry-run']);
  expect(rows.map(({ name }: Template) => name)).toEqual(['ci/build 1', 'ci/build 2', 'Reminder']);
  expect((await prune(['--unused-for', '90d', '--keep', '1', '--confirm', '3'])).code).toBe(0);
  expect(await names()).toEqual(['Welcome']);
});

describe('failures', () => {
  test('a template deleted meanwhile counts as done', async () => {
    const [gone] = (await ask('GET', '/marketing/templates?q=build')) as [Template];
    const proxy = await startFaultyProxy(service.url, async ({ method, url, attempt }) => {
      if (method === 'DELETE' && url.includes(gone.id) && attempt === 0)
        await ask('DELETE', `/marketing/templates/${gone.id}`);
      return undefined;
    });
    const { code, json: rows } = await prune(['--name', 'ci/*', '--confirm', '2'], {
      env: { CS_BASE_URL: proxy.url },
    });
    await proxy.close();
    expect([code, rows]).toMatchObject([
      0,
      [
        { name: 'ci/build 1', deleted: true },
        { name: 'ci/build 2', deleted: true },
      ],
    ]);
    expect(await names()).toEqual(['Reminder', 'Welcome']);
  });
  test('a template in use fails alone: exit 11, each listed with its code', async () => {
    const rows = (await ask('GET', '/marketing/templates?q=build')) as [Template, Template];
    const [kept, goes] = rows;
    const server = await startMisbehavingServer(({ method, url }) => {
      if (method === 'GET') return json(200, { data: rows, page: 1, limit: 200, total: 2 });
      return url.includes(kept.id)
        ? problem(422, 'resource_in_use')
        : json(200, { data: { id: goes.id, deleted: true } });
    });
    const {
      code,
      json: result,
      error,
    } = await prune(['--name', '*', '--confirm', '2'], { env: { CS_BASE_URL: server.url } });
    await server.close();
    expect([code, error.code, error.message]).toEqual([
      11,
      'partial',
      '1 template was not deleted.',
    ]);
    expect(error.hint).toContain(
      'run it again with --confirm 1, if nothing else has changed; --dry-run counts the rest',
    );
    expect(result).toContainEqual(expect.objectContaining({ id: goes.id, deleted: true }));
    const { id, name, channel, lastUsedAt, updatedAt } = kept;
    const failure = expect.objectContaining({ code: 'resource_in_use' });
    expect(result).toContainEqual({
      id,
      name,
      channel,
      lastUsedAt,
      updatedAt,
      reason: expect.any(String),
      error: failure,
    });
    expect(error.details.failed).toEqual([
      expect.objectContaining({ id, name, code: 'resource_in_use' }),
    ]);
  });
  test.each([
    ['last use nor last change', ['lastUsedAt', 'updatedAt'], ['--unused-for', '90d']],
    ['name', ['name'], ['--name', '*']],
  ])(
    'where the server tells no %s of a template: exit 9, and none is deleted',
    async (_, hidden, line) => {
      const rows: object[] = await ask('GET', '/marketing/templates?q=build');
      const data = rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
      );
      const server = await startMisbehavingServer(() =>
        json(200, { data, page: 1, limit: 200, total: 2 }),
      );
      const { code, error } = await prune([...line, '--confirm', '2'], {
        env: { CS_BASE_URL: server.url },
      });
      await server.close();
      expect([code, error.code]).toEqual([9, 'filter_ignored']);
      expect(server.requests.map(({ method }) => method)).not.toContain('DELETE');
    },
  );
  test('a server that deletes no templates: exit 9, and none counts as deleted', async () => {
    const rows = await ask('GET', '/marketing/templates?q=build');
    const server = await startMisbehavingServer(({ method }) =>
      method === 'GET'
        ? json(200, { data: rows, page: 1, limit: 200, total: 2 })
        : problem(404, 'route_not_found'),
    );
    const { code, error } = await prune(['--name', '*', '--confirm', '2'], {
      env: { CS_BASE_URL: server.url },
    });
    await server.close();
    expect([code, error.code]).toEqual([9, 'operation_missing']);
  });
  test.each(['before', 'after'] as const)(
    'Ctrl-C %s the server has done the second: what is deleted, uncertain and left is exact',
    async (when) => {
      const stop = new AbortController();
      let deletes = 0;
      const proxy = await startFaultyProxy(service.url, ({ method }) => {
        if (method !== 'DELETE' || ++deletes < 2) return undefined;
        return when === 'before' ? 'silence' : 'mute';
      });
      const running = prune(['--name', '*', '--confirm', '4'], {
        env: { CS_BASE_URL: proxy.url },
        signal: stop.signal,
      });
      const left = when === 'before' ? 3 : 2;
      await vi.waitFor(async () => expect([deletes, (await names()).length]).toEqual([2, left]), {
        timeout: 60_000,
      });
      stop.abort(new Interrupted('SIGINT'));
      const { code, json: rows, error } = await running;
      await proxy.close();
      expect([code, error.code, error.message]).toEqual([
        130,
        'interrupted',
        'Stopped: 1 of 4 templates deleted, 1 uncertain, 2 left.',
      ]);
      expect(
        rows.map(
          ({ deleted, error }: { deleted?: true; error?: { code: string } }) =>
            deleted ?? error?.code,
        ),
      ).toEqual([true, 'interrupted', 'not_tried', 'not_tried']);
      const ids = rows.map(({ id }: Template) => id);
      expect(error.details.failed.map(({ id }: Template) => id)).toEqual(ids.slice(1));
      const there = ((await ask('GET', '/marketing/templates')) as Template[]).map(({ id }) => id);
      expect(there.sort()).toEqual(ids.slice(4 - left).sort());
    },
  );
});

describe('on a terminal', () => {
  const open = (...line: string[]) =>
    openTerminal(['templates', 'prune', ...line], {
      rows: 40,
      env: { CS_BASE_URL: service.url, CS_API_KEY: key },
    });

  test('lists 20 of those that it would delete and asks for the count', async () => {
    for (let number = 1; number <= 20; number += 1) await make(`ci/more ${number}`);
    const terminal = open('--name', 'ci/*');
    await terminal.waitFor(/ci\/build 1 \(email\): never used/);
    await terminal.waitFor(/and 2 more; --dry-run lists all/);
    await terminal.waitFor(/Delete 22 templates/);
    terminal.type('22');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(await names()).toEqual(['Reminder', 'Welcome']);
  });
});
