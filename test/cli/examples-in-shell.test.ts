/**
 * The examples of the help that only a shell can read, every recipe of `cs help scripting`, and the lines of other topics are run by a
 * shell, against a facility that has what they name. The guide is typed in test/guide.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renderPage } from '../../src/cli/framework/help/topics/page.ts';
import { recipes } from '../../src/cli/framework/help/topics/scripting.ts';
import { topics } from '../../src/cli/framework/help/topics.ts';
import { builtCs, builtServe } from '../helpers/built.ts';
import {
  type Example,
  everyExample,
  needsShell,
  type Stages,
  startStages,
} from '../helpers/examples.ts';
import { startFaultyProxy } from '../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import {
  empty,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';
import { startPostgres } from '../helpers/postgres-server.ts';

const all = await everyExample();
const examples = all.filter(needsShell);
const recipeLines: string[] = [
  ...recipes.flatMap(({ shell }) => shell),
  // What a topic says besides, one line each.
  ...['formatting', 'exit-codes'].flatMap((name) =>
    [...renderPage(topics[name]?.parts() ?? [], 1_000).matchAll(/^ {4}(cs \S.*)$/gm)].map(
      ([, line]) => line as string,
    ),
  ),
];

let stages: Stages;
beforeAll(async () => {
  stages = await startStages();
  hook = await startMisbehavingServer([empty(204)]);
});
afterAll(async () => {
  await hook.close();
  await stages.close();
});

/** What a recipe finds: lines of the shell that run before it, and what the tests put in place of an address or a wait. */
interface Scene {
  /** What the recipe says, for those of several lines. */
  readonly holds: string;
  readonly before?: string;
  readonly env?: () => Promise<Record<string, string>>;
  readonly fill?: (line: string) => string;
  readonly after?: (folder: string, out: string) => void | Promise<void>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
let hook: MisbehavingServer;
const linesOf = (folder: string, file: string) =>
  readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
const aCarInTheDepot =
  'cs parking zones create --location Depot --name Yard -q > zone.json; cs cars create --year 1973 --make Porsche --model 911 --nickname Bert -q > bert.json; cs dropoff Bert --type drop_off --zone Yard --yes -q > event.json';

const scenes: readonly Scene[] = [
  {
    holds: 'sleep 60',
    // The first two runs find the limit and an outage.
    async env() {
      const faults = ['429', '500'] as const;
      const proxy = await startFaultyProxy(stages.url, ({ url, attempt }) =>
        url.includes('/cars?') ? faults[attempt] : undefined,
      );
      closing.push(() => proxy.close());
      return { CS_BASE_URL: proxy.url, CS_RETRIES: '0', CS_KEY_FILE: 'key.txt' };
    },
    before: `printf '#!/bin/sh\necho "$@" >> slept\n' > tools/sleep; chmod +x tools/sleep`,
    after: (folder) => expect(linesOf(folder, 'slept')).toEqual(['60', '60']),
  },
  {
    holds: 'hooks.example.com',
    fill: (line) => line.replace('https://hooks.example.com', hook.url),
    after: () =>
      expect(hook.requests.map(({ body }) => JSON.parse(body).status)).toEqual(['scheduled']),
  },
  {
    holds: 'mirror.url',
    env: async () => {
      const server = await startPostgres();
      closing.push(() => server.remove());
      return { MIRROR: `${server.url}/postgres` };
    },
    before: 'echo "$MIRROR" > mirror.url',
  },
  {
    holds: 'arrivals.csv',
    before: "printf 'v-101,Greta,Hall 1\\r\nv-102,WN AB 123,Hall 1' > arrivals.csv",
    after: (_, out) => expect(out.match(/"activityType": "drop_off"/g)).toHaveLength(2),
  },
  {
    holds: 'withoutPhotos',
    before: aCarInTheDepot,
    after: (_, out) => expect(out.trim()).toBe('Bert'),
  },
  {
    holds: 'delete Depot',
    before: aCarInTheDepot,
    after: (_, out) => expect(out.trim().endsWith('[]')).toBe(true),
  },
  {
    holds: 'admin key create',
    async env() {
      const data = await makeFolder();
      closing.push(() => removeFolder(data));
      await builtCs(['admin', 'team', 'create', 'Garage Nord', '--data', data]);
      const old = ['--name', 'sync-2026', '--scope', 'read:cars'];
      await builtCs(['admin', 'key', 'create', '--team', 'garage-nord', ...old, '--data', data]);
      const service = await builtServe(data);
      closing.unshift(() => service.stop('SIGTERM'));
      return { CS_DATA: data, CS_BASE_URL: service.url };
    },
    after: (folder, out) => {
      expect(linesOf(folder, 'key.txt')[0]).toMatch(/^csk_\S+$/);
      expect(out).toMatch(/"name": "sync-2026"[^}]*"revokedAt": "/);
    },
  },
];

async function runInShell(example: Example): Promise<void> {
  const { line, folder, env } = await stages.prepare(example);
  const scene = scenes.find(({ holds }) => line.includes(holds));
  const shell = [scene?.before, scene?.fill?.(line) ?? line].filter(Boolean).join('\n');
  const { exitCode, stderr, stdout } = await execa('bash', ['-euo', 'pipefail', '-c', shell], {
    cwd: folder,
    env: { ...env, ...(await scene?.env?.()) },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  expect({ code: exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  await scene?.after?.(folder, stdout);
}

test.each(examples.map((example) => [example.line, example] as const))('%s', (_line, example) =>
  runInShell(example),
);

describe('cs help scripting, formatting and exit-codes', () => {
  // The others are examples of a command too.
  const own = recipeLines.filter((line) => !all.some((example) => example.line === line));
  test.each(own)('%s', (line) => runInShell({ command: 'scripting', line }));
});
