/** Measures the service against its floor, on SQLite and on PostgreSQL, and the command against its own. */
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Place } from '../../src/service/database/open.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startPostgres } from '../helpers/postgres-server.ts';
import { clientTable, measureClient } from './client.ts';
import { measureCommand } from './command.ts';
import { commandSection, commandTable } from './command-report.ts';
import { copiesSection, copiesTable, measureCopies } from './copies.ts';
import { dashboardSection, dashboardTable, measureDashboard } from './dashboard.ts';
import { measure, type Options, type Result } from './measure.ts';
import { keepSection } from './page.ts';
import { measurePhotos } from './photos.ts';
import { photosSection, photosTable } from './photos-report.ts';
import { sectionOf, tableOf } from './report.ts';
import { measureSearch, searchTable } from './search.ts';
import { measureSpace } from './space.ts';

const usage = `npm run bench -- [flags]

  --only NAME,…        command, client, photos, copies, dashboard, search or space; or cases of the service whose name has one of these texts (default: all but search)
  --rows COUNT         records of the large team (default: 1000000); an import has a tenth as many
  --database NAME      sqlite or postgres (default: both)
  --seconds SECONDS    of one measurement of the service (default: 2)
  --photos COUNT       photos of 3 MB (default: 200)
  --help

A run without --only takes hours, and keeps its figures in docs/performance.md. So do runs of command, of photos with 200, and of copies with 1000000 on SQLite.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    rows: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    only: { type: 'string' },
    photos: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '2' },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
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
    return {
      ...(await work({ data, database: `${server.url}/bench` })),
      version: rows[0].server_version,
    };
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
  await benchDashboard();
  await benchCopies('sqlite');
} else if (values.only === 'dashboard') {
  await benchDashboard();
  process.exit();
} else if (values.only === 'photos') {
  await benchPhotos();
  process.exit();
} else if (values.only === 'command') {
  await benchCommand();
  process.exit();
} else if (values.only === 'client') {
  process.stdout.write(`\n${clientTable(await measureClient(21))}\n\n`);
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
    await benchCopies(name);
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

async function benchDashboard(): Promise<void> {
  const result = await measureDashboard({
    assignments: options.rows,
    ms: options.ms,
    say: options.say,
  });
  process.stdout.write(`\n${dashboardTable(result)}\n\n`);
  if (options.rows === 1_000_000) keepSection('dashboard', dashboardSection(result));
}

async function benchPhotos(): Promise<void> {
  const count = Number(values.photos);
  const result = await measurePhotos({
    count,
    large: Math.min(count, 20),
    rounds: 3,
    say: options.say,
  });
  process.stdout.write(`\n${photosTable(result)}\n\n`);
  if (count === 200) keepSection('photos', photosSection(result));
}

async function benchCopies(name: keyof typeof databases): Promise<void> {
  const run = databases[name];
  const found = await run((place) =>
    measureCopies(place, {
      records: options.rows,
      cars: Math.ceil(options.rows / 10),
      say: options.say,
    }),
  );
  process.stdout.write(`\n${name} ${found.version}\n\n${copiesTable(found)}\n\n`);
  if (name === 'sqlite' && options.rows === 1_000_000) keepSection('copies', copiesSection(found));
}
