/** Where a watch begins, and when it tries again. */
import { expect, onTestFinished, test } from 'vitest';
import {
  currentPosition,
  type Position,
  watchChanges,
} from '../../../../src/cli/commands/watch/watcher.ts';
import { createClient } from '../../../../src/client/client.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';

/** Asks for what is there, of a list that says it has so many records; answers what the requests narrowed it to. */
async function begin(total: number, known?: () => void) {
  const car = { id: '019aa0a3-4d00-7000-8000-000000000001', updatedAt: '2026-11-22T09:00:00.000Z' };
  const server = await startMisbehavingServer(() =>
    json(200, { data: [car], page: 1, limit: 200, total }),
  );
  onTestFinished(server.close);
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b' });
  await currentPosition(client, { name: 'cars', within: [], query: {} }, known).catch(
    () => undefined,
  );
  await client.close();
  const last = server.requests.at(-1);
  return new URL(last?.url ?? '', 'http://x').searchParams.get('updatedAfter');
}
const beforeIt = '2026-11-22T08:59:50.000Z';

test('preloads every record to show changed fields, unless there are too many', async () => {
  expect(await begin(1, () => {})).toBeNull();
  expect(await begin(2_000, () => {})).toBeNull();
  expect(await begin(2_001, () => {})).toBe(beforeIt);
});

test('otherwise reads only the latest changes', async () => {
  expect(await begin(1)).toBe(beforeIt);
});

test.each([
  [10, 20],
  [200, 300],
  // Never sooner than without a failure.
  [600, 600],
])('with a poll every %i s, a failed one is repeated after %i s', async (every, expected) => {
  const server = await startMisbehavingServer(() => json(503, {}));
  onTestFinished(server.close);
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  onTestFinished(() => client.close());
  const stopping = new AbortController();
  const waits: number[] = [];
  const watch = watchChanges({
    ...{
      client,
      watched: [{ name: 'cars', within: [], query: {} }],
      from: [{ since: undefined, recent: {} }],
      everyMs: every * 1_000,
      once: false,
    },
    signal: stopping.signal,
    onShown: async () => {},
    onFailure: ({ againInMs }) => {
      waits.push(againInMs / 1_000);
      stopping.abort(new Error('enough'));
    },
    onRecovery: () => {},
  });
  await expect(watch.next()).rejects.toThrow('enough');
  expect(waits).toEqual([expected]);
});

/** A server with a clock of its own, and watches that go on where the one before ended. */
async function startClocked() {
  const own = { date: '2026-11-22T10:00:00.000Z', rows: [] as { id: string; updatedAt: string }[] };
  const server = await startMisbehavingServer(({ url }) => {
    const after = new URL(url, 'http://x').searchParams.get('updatedAfter') ?? '';
    const data = own.rows
      .filter(({ updatedAt }) => updatedAt >= after)
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    return json(
      200,
      { data, page: 1, limit: 200, total: data.length },
      { date: new Date(own.date).toUTCString() },
    );
  });
  onTestFinished(server.close);
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  onTestFinished(() => client.close());
  let position: Position = { since: '2026-11-22T09:00:00.000Z', recent: {} };
  const pollOnce = async () => {
    const shown: string[] = [];
    const changes = watchChanges({
      ...{
        client,
        watched: [{ name: 'cars', within: [], query: {} }],
        from: [position],
        everyMs: 1,
        once: true,
      },
      signal: new AbortController().signal,
      onShown: async (_index, next) => {
        position = next;
      },
      onFailure: () => {},
      onRecovery: () => {},
    });
    for await (const { records } of changes) shown.push(...records.map(({ id }) => id));
    return shown;
  };
  return { own, pollOnce };
}

test('a record with a time in the future hides no later change', async () => {
  const { own, pollOnce } = await startClocked();
  own.rows = [{ id: 'c1', updatedAt: '2027-06-01T00:00:00.000Z' }];
  expect(await pollOnce()).toEqual(['c1']);
  own.date = '2026-11-22T10:00:10.000Z';
  own.rows.push({ id: 'c2', updatedAt: '2026-11-22T10:00:05.000Z' });
  expect(await pollOnce()).toEqual(['c2']);
  expect(await pollOnce()).toEqual([]);
});

test("changes after the server's clock was set back are shown, and none of them twice", async () => {
  const { own, pollOnce } = await startClocked();
  own.rows = [{ id: 'c1', updatedAt: '2026-11-22T09:59:00.000Z' }];
  expect(await pollOnce()).toEqual(['c1']);
  own.date = '2026-11-22T08:00:00.000Z';
  own.rows.push({ id: 'c2', updatedAt: '2026-11-22T07:59:30.000Z' });
  expect(await pollOnce()).toEqual(['c2']);
  expect(await pollOnce()).toEqual([]);
});
