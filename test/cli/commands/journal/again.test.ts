/** The same command again, after every way in which a request can go wrong: everything is stored once. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cs } from '../../../helpers/cli.ts';
import {
  countStored,
  type RepeatedCommand,
  repeatedCommands,
  storedOf,
  writePhotos,
} from '../../../helpers/commands-to-repeat.ts';
import { type Fault, startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { type Counter, openCounter } from '../counter/counter.ts';

let counter: Counter;
let cwd: string;
beforeAll(async () => {
  counter = await openCounter();
  cwd = await makeFolder();
  await writePhotos(cwd);
});
afterAll(async () => {
  await counter.service.close();
  await removeFolder(cwd);
});

/** Runs the command until one of its requests fails and the server is gone, and again once it is back. */
async function twice(
  { prepare }: RepeatedCommand,
  { post, fault, withoutKeys }: { post: number; fault: Fault; withoutKeys: boolean },
) {
  const { plate, argv } = await prepare(counter);
  let broken = true;
  let away = false;
  const posts: string[] = [];
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method, body, attempt }) => {
      if (!broken) return undefined;
      if (away) return 'reset';
      if (method !== 'POST') return undefined;
      const name = body.toString();
      if (attempt === 0 && !posts.includes(name)) posts.push(name);
      away = posts.indexOf(name) === post;
      return away ? fault : undefined;
    },
    { withoutKeys },
  );
  const options = {
    cwd,
    env: { ...counter.env(counter.service.key, proxy.url), CS_STATE_DIR: join(cwd, 'state') },
    waiting: proxy.waiting,
  };
  try {
    const first = await cs([...argv, '--retries', '0'], options);
    broken = false;
    const second = await cs([...argv, '--retries', '0'], options);
    const pending = await cs(['pending', 'list'], options);
    const left = pending.json;
    return { first, second, left, stored: await countStored(counter, plate) };
  } finally {
    await proxy.close();
  }
}

describe.each([
  { server: 'a server with idempotency keys', withoutKeys: false },
  { server: 'a server without', withoutKeys: true },
])('$server', ({ withoutKeys }) => {
  const rounds = repeatedCommands.flatMap((one) =>
    one.posts.map((name, post) => ({ ...one, command: one.name, request: name, post })),
  );
  describe.each(rounds)('$command, $request', (round) => {
    test.each<Fault>(['500', '429', 'reset', 'lost', 'half', 'mute'])('%s', async (fault) => {
      const { first, second, left, stored } = await twice(round, {
        post: round.post,
        fault,
        withoutKeys,
      });
      expect(first.code, first.stdout).not.toBe(0);
      expect(second.code, second.stderr).toBe(0);
      expect(stored).toEqual(round.stored);
      expect(left).toEqual([]);
    });
  });
});

test('the time that was resolved first stays', async () => {
  const [dropoff] = repeatedCommands as [RepeatedCommand];
  const { plate, argv } = await dropoff.prepare(counter);
  let broken = true;
  const proxy = await startFaultyProxy(counter.service.url, ({ method }) =>
    method === 'POST' && broken ? 'reset' : undefined,
  );
  const options = { cwd, env: counter.env(counter.service.key, proxy.url) };
  const begun = new Date();
  const first = await cs([...argv, '--retries', '0'], { ...options, now: begun });
  expect(first.code).toBe(9);
  broken = false;
  const second = await cs(argv, { ...options, now: new Date(begun.getTime() + 3_600_000) });
  await proxy.close();
  expect(second.code, second.stderr).toBe(0);
  const [event] = (await storedOf(counter, plate)).events;
  expect(event?.occurredAt).toBe(new Date(begun.getTime() - 600_000).toISOString());
});
