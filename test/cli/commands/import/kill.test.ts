/** Imports that are killed, and whose connections break: the same command again leaves each row stored once, and tells of each. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { long } from '../../../helpers/property.ts';
import { startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const cwd = await makeFolder();
afterAll(async () => {
  await service.close();
  await removeFolder(cwd);
});

const rows = long ? 2_000 : 60;
const kills = long ? 12 : 4;
const timeout = long ? 600_000 : 60_000;
let runs = 0;

interface Line {
  readonly row: number;
  readonly did: string;
  readonly error?: { readonly code: string };
}
const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe.each([
  ['with idempotency keys', false],
  ['without', true],
])('a server %s', (_, withoutKeys) => {
  test(`${rows} rows, ${kills} kills and as many broken connections`, { timeout }, async () => {
    const lastName = `Kill${String.fromCharCode(65 + runs++)}`;
    const file = join(cwd, `${lastName}.ndjson`);
    const names = Array.from({ length: rows }, (_, n) => `Ann${n}`);
    await writeFile(
      file,
      names.map((firstName) => `${JSON.stringify({ firstName, lastName })}\n`).join(''),
    );
    let running: ReturnType<typeof builtCs> | undefined;
    let posts = 0;
    let nextEnd = 5;
    let faults = 0;
    const proxy = await startFaultyProxy(
      service.url,
      ({ method }) => {
        if (method !== 'POST' || ++posts < nextEnd || faults === 2 * kills) return undefined;
        nextEnd = posts + Math.ceil(rows / (2 * kills + 1));
        faults += 1;
        if (faults % 2 === 0) running?.kill('SIGKILL');
        return faults % 3 === 0 ? 'reset' : 'lost';
      },
      { withoutKeys },
    );
    const storedNames = async () => {
      const found: string[] = [];
      for (let page = 1; ; page += 1) {
        const path = `/customers?limit=200&page=${page}&q=${lastName}`;
        const { data } = (await service.call('GET', path)).body;
        found.push(...data.map((one: { firstName: string }) => one.firstName));
        if (data.length < 200) return found;
      }
    };
    try {
      const env = {
        CS_BASE_URL: proxy.url,
        CS_API_KEY: service.key,
        CS_RETRIES: '0',
        CS_STATE_DIR: join(cwd, lastName),
      };
      const results = join(cwd, `${lastName}-results.ndjson`);
      const argv = ['import', 'customers', file, '--results', results, '-o', 'ndjson'];
      let decisions: string[] = [];
      for (let turn = 0; turn < 4 * kills; turn += 1) {
        running = builtCs([...argv, ...decisions], { cwd, env });
        const { exitCode, stdout, signal } = await running;
        if (exitCode === 0) break;
        decisions = [];
        if (signal) continue;
        // As a person would: look, and decide.
        const unknown = linesIn(String(stdout)).filter(
          ({ error }) => error?.code === 'outcome_unknown',
        );
        const here = new Set(unknown.length > 0 ? await storedNames() : []);
        const rowsOf = (isStored: boolean) =>
          unknown
            .filter(({ row }) => here.has(`Ann${row - 1}`) === isStored)
            .map(({ row }) => row)
            .join(',');
        if (rowsOf(true)) decisions.push('--skip', rowsOf(true));
        if (rowsOf(false)) decisions.push('--again', rowsOf(false));
      }
      expect(faults).toBe(2 * kills);
      expect((await running)?.exitCode).toBe(0);
      expect((await storedNames()).sort()).toEqual(names.sort());
      const last = new Map(
        linesIn(await readFile(results, 'utf8')).map(({ row, did }) => [row, did]),
      );
      expect(last.size).toBe(rows);
      const ends = ['created', 'already_imported', ...(withoutKeys ? ['skipped'] : [])];
      expect([...new Set(last.values())].filter((did) => !ends.includes(did))).toEqual([]);
    } finally {
      await proxy.close();
    }
  });
});
