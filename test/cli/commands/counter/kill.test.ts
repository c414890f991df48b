/**
 * `kill -9` at every request and at random moments, and the same line again. With idempotency keys everything is stored once. Without,
 * that too, or the command stops and names what may be stored: a person looks, and everything is stored once after the decision.
 */
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
import { type Counter, openCounter } from './counter.ts';

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
    const options = { cwd, env: counter.env(counter.service.key, proxy.url) };
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
    if (first.isTold) return expect(await countStored(counter, plate)).toEqual(stored);
    expect(first.exitCode, first.text).toBe(killed);
    const second = await run();
    if (!withoutKeys || second.exitCode === 0) {
      expect(second.exitCode, second.text).toBe(0);
      return expect(await countStored(counter, plate)).toEqual(stored);
    }
    expect(second.exitCode, second.text).toBe(9);
    expect(second.text).toMatch(/may be stored/);
    const [, id, step] = decisionIn(second.text);
    // Nobody guessed meanwhile.
    const left = await countStored(counter, plate);
    for (const [name, count] of Object.entries(left))
      expect(count, name).toBeLessThanOrEqual(stored[name as keyof typeof stored]);
    if (isStored(step, left, stored)) return;
    // Its key commands the rest: each step after it may need a decision of its own.
    const sent = await runPiped(['pending', 'resume', id, '--send'], options);
    expect(sent.exitCode, sent.text).toBe(0);
    expect(await countStored(counter, plate)).toEqual(stored);
  } finally {
    await proxy.close();
  }
}

/** The id, and the step that was sent without an answer. */
function decisionIn(text: string): [string, string, string] {
  const [, step = ''] = /The (\w+)\s+of\s+the/.exec(text) ?? [];
  const [, id = ''] = /cs\s+pending\s+resume\s+(\w{8})\s+--send/.exec(text) ?? [];
  expect(text).toContain(`cs pending discard ${id}`);
  return [text, id, step];
}

type Stored = RepeatedCommand['stored'];

/** As a person sees it on the server. */
function isStored(step: string, left: Stored, whole: Stored): boolean {
  const of = { owner: 'owners', car: 'cars', event: 'events', assignment: 'assignments' } as const;
  const name = of[step as keyof typeof of];
  return left[name] === whole[name];
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

  // Spread over the time that a command takes: only at length, since no moment means the same on another machine.
  const rounds = long ? 21 : 0;
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
