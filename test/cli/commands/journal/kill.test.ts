/** `kill -9` at every request and at random moments: the same command again leaves everything stored once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import { countStored, type RepeatedCommand, repeatedCommands, writePhotos } from '../../../helpers/commands-to-repeat.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { long } from '../../../helpers/property.ts';
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

/** When the process is killed: at a POST, which then reaches the service or not; or after a time. */
type Moment = { readonly post: number; readonly arrives: boolean } | { readonly afterMs: number };

async function killedAndAgain({ prepare, stored }: RepeatedCommand, moment: Moment, withoutKeys: boolean): Promise<void> {
  const { car, argv } = await prepare(counter);
  let running: ReturnType<typeof builtCs> | undefined;
  let posts = 0;
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => {
      if (method !== 'POST' || !('post' in moment) || posts++ !== moment.post) return undefined;
      running?.kill('SIGKILL');
      return moment.arrives ? undefined : 'reset';
    },
    { withoutKeys },
  );
  try {
    const options = { cwd, env: counter.env(counter.service.key, proxy.url) };
    running = builtCs(argv, options);
    if ('afterMs' in moment) setTimeout(() => running?.kill('SIGKILL'), moment.afterMs);
    const first = await running;
    if (first.exitCode === 0) return expect(await countStored(counter, car)).toEqual(stored);
    expect(first.signal).toBe('SIGKILL');
    // Its result is on stdout: the next command would be another one.
    if (/[}\]]$/.test(String(first.stdout))) return expect(await countStored(counter, car)).toEqual(stored);
    const second = await builtCs(argv, options);
    expect(second.exitCode, String(second.stderr)).toBe(0);
    expect(await countStored(counter, car)).toEqual(stored);
  } finally {
    await proxy.close();
  }
}

const servers = [
  { server: 'with idempotency keys', withoutKeys: false },
  { server: 'without', withoutKeys: true },
];

describe.each(servers)('a server $server', ({ withoutKeys }) => {
  const points = repeatedCommands.flatMap((command) =>
    command.posts.flatMap((request, post) => [true, false].map((arrives) => ({ ...command, request, post, arrives }))),
  );
  test.each(points)('$name, at the $request, arrives: $arrives', async ({ post, arrives, ...command }) => {
    await killedAndAgain(command, { post, arrives }, withoutKeys);
  });

  // Spread over the time that a command takes.
  const rounds = long ? 21 : 2;
  const times = repeatedCommands.flatMap((command) =>
    Array.from({ length: rounds }, (_, index) => ({ ...command, afterMs: 60 + Math.round(((index + Math.random()) / rounds) * 500) })),
  );
  test.each(times)('$name, after $afterMs ms', async ({ afterMs, ...command }) => {
    await killedAndAgain(command, { afterMs }, withoutKeys);
  });
});
