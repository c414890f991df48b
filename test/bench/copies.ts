/** Copies of many records: `cs sync` into SQLite and PostgreSQL, and `cs import`, against bare loops over the same requests, in turns. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Place } from '../../src/service/database/open.ts';
import { bin } from '../helpers/built.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startPostgres } from '../helpers/postgres-server.ts';
import { startService } from './child.ts';
import { peakMemoryOf, type Run, run, stderrOf } from './command.ts';
import { seed } from './seed.ts';
import { machine, markdownTable, mega, whole } from './words.ts';

export interface CopiesResult {
  readonly records: number;
  readonly syncMs: number;
  readonly dropMs: number;
  readonly syncMemory: number;
  /** The same into PostgreSQL. */
  readonly postgresMs: number;
  readonly postgresDropMs: number;
  readonly unchangedMs: number;
  /** For the records, of a run that finds nothing changed. */
  readonly unchangedRequests: number;
  readonly changes: number;
  readonly changedMs: number;
  readonly cars: number;
  readonly importMs: number;
  readonly postMs: number;
}

interface Options {
  readonly records: number;
  readonly cars: number;
  readonly say: (what: string) => void;
}

const changes = 1_000;
const parallel = 4;
const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export async function measureCopies(
  place: Place,
  { records, cars, say }: Options,
): Promise<CopiesResult> {
  say(`seeding ${records} appointments`);
  const { large, small } = await seed(place, records);
  const service = await startService(place);
  const folder = await makeFolder();
  const server = await startPostgres({ durable: true });
  const home = {
    PATH: process.env.PATH,
    CS_CONFIG_DIR: folder,
    CS_CACHE_DIR: folder,
    CS_BASE_URL: service.url,
  };
  const as = (key: string, ...argv: string[]): Run => ({ argv, env: { ...home, CS_API_KEY: key } });
  const sync = (to: string, loudness = '-q') =>
    as(large.key, bin, 'sync', 'appointments', '--to', join(folder, to), loudness);
  const drop = as(large.key, scriptOf('drop-script.mjs'), service.url, large.key, '/appointments');
  const inTurns = async (ours: () => Promise<number>, floor: () => Promise<number>) => {
    const first = await floor();
    const between = await ours();
    return { ours: between, floor: (first + (await floor())) / 2 };
  };
  try {
    // What Node keeps of compiled code.
    await run(as(small.key, bin, 'sync', 'appointments', '--to', join(folder, 'small.db'), '-q'));
    const whole = await inTurns(
      () => run(sync('mirror.db')),
      () => run(drop),
    );
    say(`sync ${whole.ours.toFixed(0)} ms, loop ${whole.floor.toFixed(0)} ms`);
    const unchangedMs = await run(sync('mirror.db'));
    const unchangedRequests = (await stderrOf(sync('mirror.db', '-v')))
      .split('\n')
      .filter((line) => / GET .*\/appointments\?/.test(line)).length;
    await changeSome(service.url, large.key);
    const changedMs = await run(sync('mirror.db'));
    say(
      `unchanged ${unchangedMs.toFixed(0)} ms and ${unchangedRequests} requests, ${changes} changes ${changedMs.toFixed(0)} ms`,
    );
    const syncMemory = await peakMemoryOf(sync('again.db'));
    say(`memory ${syncMemory >> 20} MB`);
    const intoPostgres = await inTurns(
      () => run(as(large.key, bin, 'sync', 'appointments', '--to', `${server.url}/postgres`, '-q')),
      () => run(drop),
    );
    say(`sync to PostgreSQL ${intoPostgres.ours.toFixed(0)} ms`);

    const file = join(folder, 'cars.csv');
    const lines = Array.from({ length: cars }, (_, n) => `1973,Porsche,911,Import ${n}\r\n`);
    await writeFile(file, `year,make,model,nickname\r\n${lines.join('')}`);
    const created = await inTurns(
      () => run(as(small.key, bin, 'import', 'cars', file, '--parallel', String(parallel))),
      () =>
        run(
          as(
            small.key,
            scriptOf('post-script.mjs'),
            service.url,
            small.key,
            String(cars),
            String(parallel),
          ),
        ),
    );
    say(`import ${created.ours.toFixed(0)} ms, loop ${created.floor.toFixed(0)} ms`);
    const sizes = { records, changes, cars };
    return {
      ...sizes,
      syncMs: whole.ours,
      dropMs: whole.floor,
      syncMemory,
      postgresMs: intoPostgres.ours,
      postgresDropMs: intoPostgres.floor,
      unchangedMs,
      unchangedRequests,
      changedMs,
      importMs: created.ours,
      postMs: created.floor,
    };
  } finally {
    await service.stop();
    await server.remove();
    await removeFolder(folder);
  }
}

/** Changes the appointments of the first pages, several at a time. */
async function changeSome(url: string, key: string): Promise<void> {
  const pool = new Pool(url, { connections: 8 });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const ids: string[] = [];
  for (let page = 1; ids.length < changes; page++) {
    const { body } = await pool.request({
      method: 'GET',
      path: `/api/v1/appointments?limit=200&page=${page}`,
      headers,
    });
    const { data } = (await body.json()) as { data: { id: string }[] };
    ids.push(...data.map(({ id }) => id));
  }
  const body = JSON.stringify({ notes: 'Changed' });
  await Promise.all(
    ids.slice(0, changes).map(async (id) => {
      const answer = await pool.request({
        method: 'PATCH',
        path: `/api/v1/appointments/${id}`,
        headers,
        body,
      });
      if (answer.statusCode !== 200) throw new Error(`PATCH answered ${answer.statusCode}`);
      await answer.body.dump();
    }),
  );
  await pool.close();
}

const memoryLimit = 250 * 1024 * 1024;
const verdict = (ok: boolean): string => (ok ? 'ok' : '**short**');

export function copiesTable(result: CopiesResult): string {
  const {
    records,
    cars,
    syncMs,
    dropMs,
    syncMemory,
    unchangedMs,
    unchangedRequests,
    changedMs,
    importMs,
    postMs,
  } = result;
  const perSecond = (count: number, ms: number) => `${whole((count / ms) * 1000)}/s`;
  return markdownTable([
    ['copies', 'ours', 'bare loop', 'ratio', 'target', ''],
    [
      `cs sync to SQLite, ${whole(records)} appointments`,
      perSecond(records, syncMs),
      perSecond(records, dropMs),
      (dropMs / syncMs).toFixed(2),
      'at least 0.5',
      verdict(dropMs / syncMs >= 0.5),
    ],
    [
      'memory of that at its most',
      mega(syncMemory),
      '',
      '',
      `below ${mega(memoryLimit)}`,
      verdict(syncMemory < memoryLimit),
    ],
    [
      `cs sync to PostgreSQL, ${whole(records)} appointments`,
      perSecond(records, result.postgresMs),
      perSecond(records, result.postgresDropMs),
      (result.postgresDropMs / result.postgresMs).toFixed(2),
      'at least 0.4',
      verdict(result.postgresDropMs / result.postgresMs >= 0.4),
    ],
    [
      'the same to SQLite with nothing changed',
      `${whole(unchangedMs)} ms`,
      '',
      (unchangedMs / syncMs).toFixed(3),
      '',
      '',
    ],
    [
      'requests of that for the appointments',
      String(unchangedRequests),
      '',
      '',
      '1',
      verdict(unchangedRequests === 1),
    ],
    [
      `the same with ${whole(result.changes)} changes`,
      `${whole(changedMs)} ms`,
      '',
      (changedMs / syncMs).toFixed(3),
      'at most 0.01 at 1,000,000',
      records < 1_000_000 ? '' : verdict(changedMs / syncMs <= 0.01),
    ],
    [
      `cs import, ${whole(cars)} cars, ${parallel} at a time`,
      perSecond(cars, importMs),
      perSecond(cars, postMs),
      (postMs / importMs).toFixed(2),
      'at least 0.8',
      verdict(postMs / importMs >= 0.8),
    ],
  ]);
}

export const copiesSection = (
  result: CopiesResult,
): string => `Results of the last run of \`npm run bench -- --only copies\` on SQLite, which writes this section (a full run writes it, too): ${machine()}.

Each figure is for a whole process from start to end. The bare loop of a sync fetches the same pages over one connection and drops them, once before and once after; that of an import sends the same creates,
as many at a time. The service runs in a process of its own on the same processors, and its time is in both.

${copiesTable(result)}
`;
