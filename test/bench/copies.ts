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
import { type Figure, inTurns, memory, time } from './figures.ts';
import { seed } from './seed.ts';

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
): Promise<Figure[]> {
  say(`seeding ${records} appointments`);
  const { large, facility } = await seed(place, records);
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
  try {
    // What Node keeps of compiled code.
    await run(
      as(facility.key, bin, 'sync', 'appointments', '--to', join(folder, 'small.db'), '-q'),
    );
    const dropping = () => run(drop);
    const whole = await inTurns(1, () => run(sync('mirror.db')), dropping);
    say(`sync ${whole.ours.toFixed(0)} ms, loop ${whole.other.toFixed(0)} ms`);
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
    const target = `${server.url}/postgres`;
    const intoPostgres = await inTurns(
      1,
      () => run(as(large.key, bin, 'sync', 'appointments', '--to', target, '-q')),
      dropping,
    );
    say(`sync to PostgreSQL ${intoPostgres.ours.toFixed(0)} ms`);

    const file = join(folder, 'cars.csv');
    const lines = Array.from({ length: cars }, (_, n) => `1973,Porsche,911,Import ${n}\r\n`);
    await writeFile(file, `year,make,model,nickname\r\n${lines.join('')}`);
    const post = [service.url, facility.key, String(cars), String(parallel)];
    const created = await inTurns(
      1,
      () => run(as(facility.key, bin, 'import', 'cars', file, '--parallel', String(parallel))),
      () => run(as(facility.key, scriptOf('post-script.mjs'), ...post)),
    );
    say(`import ${created.ours.toFixed(0)} ms, loop ${created.other.toFixed(0)} ms`);
    const count = records.toLocaleString('en');
    const loop = 'the same requests in a loop';
    const than = { than: 'the whole' };
    return [
      time(`cs import, ${cars.toLocaleString('en')} cars, ${parallel} at a time`, created, {
        than: loop,
        target: { least: 0.8 },
      }),
      time(`cs sync to SQLite, ${count} appointments`, whole, {
        than: loop,
        target: { least: 0.5 },
      }),
      memory('memory of that at its most', syncMemory, 250),
      time(`cs sync to PostgreSQL, ${count} appointments`, intoPostgres, {
        than: loop,
        target: { least: 0.4 },
      }),
      time('cs sync, nothing changed', { ours: unchangedMs, other: whole.ours }, than),
      {
        name: 'requests of that for the appointments',
        ours: unchangedRequests,
        unit: '',
        target: { equal: 1 },
      },
      time(
        `cs sync, ${changes.toLocaleString('en')} changes`,
        { ours: changedMs, other: whole.ours },
        {
          ...than,
          target: records < 1_000_000 ? undefined : { most: 0.01 },
        },
      ),
    ];
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
