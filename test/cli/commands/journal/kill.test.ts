/** `kill -9` at every request and at random moments: the same command again leaves everything stored once. */
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import {
  type Answers,
  countStored,
  newCarDropoff,
  type RepeatedCommand,
  repeatedCommands,
  writePhotos,
} from '../../../helpers/commands-to-repeat.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { long } from '../../../helpers/property.ts';
import { startTerminal } from '../../../helpers/pseudo-terminal.ts';
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

/** When the process is killed: at a POST, which then reaches the service or not; or after a time, in which it sends. */
type Moment = { readonly post: number; readonly arrives: boolean } | { readonly afterMs: number };

interface Options {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Called once everything is typed: from now on it sends. */
  readonly onTyped?: (kill: () => void) => void;
}

interface Ended {
  readonly exitCode: number;
  /** Whether it printed its result: the same line means another run then. */
  readonly isTold: boolean;
  readonly text: string;
}

async function runPiped(argv: readonly string[], { cwd, env, onTyped }: Options): Promise<Ended> {
  const running = builtCs(argv, { cwd, env });
  onTyped?.(() => running.kill('SIGKILL'));
  const { exitCode, signal, stdout, stderr } = await running;
  return {
    exitCode: signal === 'SIGKILL' ? killed : (exitCode ?? 1),
    isTold: /[}\]]$/.test(String(stdout)),
    text: String(stderr),
  };
}

/** Finishes what an earlier run left, or answers every question. */
async function runTyped(
  argv: readonly string[],
  answers: Answers,
  { onTyped, ...options }: Options,
): Promise<Ended> {
  const terminal = startTerminal(argv, { ...options, patienceMs: 30_000 });
  try {
    const [[first]] = answers as [Answers[number]];
    const screen = await terminal.waitFor(
      (shown) => shown.includes('❯ Finish it') || shown.includes(String(first)),
    );
    const typed: Answers = screen.includes('❯ Finish it') ? [['What now?', '\r']] : answers;
    for (const [shown, keys] of typed) {
      await terminal.waitFor(shown);
      if (shown === typed.at(-1)?.[0]) onTyped?.(() => terminal.kill());
      terminal.type(keys);
    }
    return {
      exitCode: await terminal.exited,
      isTold: terminal.screen().includes('is parked in'),
      text: terminal.screen(),
    };
  } finally {
    terminal.close();
  }
}

const killed = 128 + constants.signals.SIGKILL;

async function killedAndAgain(
  { prepare, stored }: RepeatedCommand,
  moment: Moment,
  withoutKeys: boolean,
): Promise<void> {
  const { plate, argv, answers } = await prepare(counter);
  let kill: (() => void) | undefined;
  let posts = 0;
  const proxy = await startFaultyProxy(
    counter.service.url,
    ({ method }) => {
      if (method !== 'POST' || !('post' in moment) || posts++ !== moment.post) return undefined;
      kill?.();
      return moment.arrives ? undefined : 'reset';
    },
    { withoutKeys },
  );
  try {
    // Without keys the second run waits for as long before it sends again.
    const env = {
      ...counter.env(counter.service.key, proxy.url),
      CS_TIMEOUT: withoutKeys ? '5' : '30',
    };
    const options = { cwd, env };
    const run = (more: Partial<Options> = {}) =>
      answers
        ? runTyped(argv, answers, { ...options, ...more })
        : runPiped(argv, { ...options, ...more });
    const first = await run({
      onTyped(killer) {
        kill = killer;
        if ('afterMs' in moment) setTimeout(killer, moment.afterMs);
      },
    });
    expect([0, killed], first.text).toContain(first.exitCode);
    if (!first.isTold) {
      expect(first.exitCode, first.text).toBe(killed);
      const second = await run();
      expect(second.exitCode, second.text).toBe(0);
    }
    expect(await countStored(counter, plate)).toEqual(stored);
  } finally {
    await proxy.close();
  }
}

const commands = [...repeatedCommands, newCarDropoff];

const servers = [
  { server: 'with idempotency keys', withoutKeys: false },
  { server: 'without', withoutKeys: true },
];

describe.each(servers)('a server $server', ({ withoutKeys }) => {
  const points = commands.flatMap((command) =>
    command.posts.flatMap((request, post) =>
      [true, false].map((arrives) => ({ ...command, request, post, arrives })),
    ),
  );
  test.each(points)(
    '$name, at the $request, arrives: $arrives',
    async ({ post, arrives, ...command }) => {
      await killedAndAgain(command, { post, arrives }, withoutKeys);
    },
  );

  // Spread over the time that a command takes.
  const rounds = long ? 21 : 2;
  const times = commands.flatMap((command) =>
    Array.from({ length: rounds }, (_, index) => ({
      ...command,
      afterMs: 60 + Math.round(((index + Math.random()) / rounds) * 500),
    })),
  );
  test.each(times)('$name, after $afterMs ms', async ({ afterMs, ...command }) => {
    await killedAndAgain(command, { afterMs }, withoutKeys);
  });
});
