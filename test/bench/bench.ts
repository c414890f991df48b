/**
 * Measures the service against its floor, on SQLite and on PostgreSQL, and the command against its own.
 * `--rows` of the large team, 1,000,000 unless stated; `--database sqlite|postgres`, both unless stated; `--only` cases of the service whose
 * name holds it, or one of several with commas between, or `--only command`, `--only copies`, `--only photos`, `--only search` or `--only space`; `--seconds` of one measurement of the service;
 * `--photos` of 3 MB, 200 unless stated.
 * A full run of either is kept in docs/performance.md.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Place } from '../../src/service/database/open.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startPostgres } from '../helpers/postgres-server.ts';
import { measureCommand } from './command.ts';
import { commandSection, commandTable } from './command-report.ts';
import { copiesTable, measureCopies } from './copies.ts';
import { measure, type Options, type Result } from './measure.ts';
import { keepSection } from './page.ts';
import { measurePhotos } from './photos.ts';
import { photosSection, photosTable } from './photos-report.ts';
import { sectionOf, tableOf } from './report.ts';
import { measureSearch, searchTable } from './search.ts';
import { measureSpace } from './space.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    only: { type: 'string' },
    photos: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '2' },
  },
});
const options: Options = {
  rows: Number(values.rows),
  rounds: 3,
  ms: Number(values.seconds) * 1000,
  only: values.only?.split(','),
  say: (what) => process.stderr.write(`${what}\n`),
};

async function onSqlite<T>(work: (place: Place) => Promise<T>): Promise<T & { version: string }> {
  const data = await makeFolder();
  try {
    return { ...(await work({ data })), version: process.versions.sqlite ?? '' };
  } finally {
    await removeFolder(data);
  }
}

async function onPostgres<T>(work: (place: Place) => Promise<T>): Promise<T & { version: string }> {
  const data = await makeFolder();
  const server = await startPostgres({ durable: true });
  const owner = new pg.Client({ connectionString: `${server.url}/postgres` });
  await owner.connect();
  try {
    await owner.query('create database bench');
    const { rows } = await owner.query('show server_version');
    return { ...(await work({ data, database: `${server.url}/bench` })), version: rows[0].server_version };
  } finally {
    await owner.end();
    await server.remove();
    await removeFolder(data);
  }
}

const databases = { sqlite: onSqlite, postgres: onPostgres };
const results: Partial<Record<keyof typeof databases, Result>> = {};
if (!values.only && !values.database) {
  await benchCommand();
  await benchPhotos();
} else if (values.only === 'photos') {
  await benchPhotos();
  process.exit();
} else if (values.only === 'command') {
  await benchCommand();
  process.exit();
}
for (const name of ['sqlite', 'postgres'] as const) {
  const run = databases[name];
  if (values.database && values.database !== name) continue;
  options.say(name);
  if (values.only === 'search') {
    const found = await run((place) => measureSearch(place, options));
    process.stdout.write(`\n${searchTable(`${name} ${found.version}`, found)}\n\n`);
    continue;
  }
  if (values.only === 'copies') {
    const found = await run((place) =>
      measureCopies(place, { records: options.rows, cars: Math.ceil(options.rows / 10), say: options.say }),
    );
    process.stdout.write(`\n${name} ${found.version}\n\n${copiesTable(found)}\n\n`);
    continue;
  }
  if (values.only === 'space') {
    const { ours, plain, version } = await run(measureSpace);
    process.stdout.write(
      `${name} ${version}: ${ours} bytes for each appointment, ${plain} in a plain table, ${(ours / plain).toFixed(2)}\n`,
    );
    continue;
  }
  const measured = await run((place) => measure(place, options));
  if (options.only) continue;
  options.say('space');
  results[name] = { ...measured, space: await run(measureSpace) };
  process.stdout.write(`\n${tableOf(name, results[name])}\n\n`);
}
const { sqlite, postgres } = results;
if (sqlite && postgres && options.rows === 1_000_000) {
  keepSection('service', sectionOf({ sqlite, postgres }));
}

async function benchCommand(): Promise<void> {
  const rounds = 21;
  const result = await measureCommand({ rounds, records: 500_000, say: options.say });
  process.stdout.write(`\n${commandTable(result)}\n\n`);
  keepSection('command', commandSection(result, rounds));
}

async function benchPhotos(): Promise<void> {
  const count = Number(values.photos);
  const result = await measurePhotos({ count, large: Math.min(count, 20), rounds: 3, say: options.say });
  process.stdout.write(`\n${photosTable(result)}\n\n`);
  if (count === 200) keepSection('photos', photosSection(result));
}
