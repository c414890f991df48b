/** Measures the service against its floor on both databases, and the command against the least that could do the same. */
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Place } from '../../src/service/database/open.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startPostgres } from '../helpers/postgres-server.ts';
import { measureClient } from './client.ts';
import { measureCommand } from './command.ts';
import { measureCopies } from './copies.ts';
import { measureDashboard } from './dashboard.ts';
import { type Figure, figureTable, type Pair, pairTable } from './figures.ts';
import { keepPage, type Pages } from './page.ts';
import { measurePhotos } from './photos.ts';
import { measureSearch } from './search.ts';
import { measureService, measureSpace } from './service.ts';
import { measureStore } from './store.ts';

const parts = [
  'service',
  'command',
  'client',
  'photos',
  'store',
  'copies',
  'search',
  'dashboard',
] as const;
type Part = (typeof parts)[number];

const usage = `npm run bench -- [flags]

  --only PART,…        ${parts.join(', ')} (default: all, and the figures are kept in docs/performance.md)
  --case TEXT          of the service only the cases with this text in their name
  --rows COUNT         records of what is large (default: 100000)
  --seconds SECONDS    of one measurement of the service (default: 1)
  --help

A whole run takes about 20 minutes and wants a quiet machine.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string' },
    case: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '1' },
  },
});
const chosen = values.only?.split(',') ?? parts;
const unknown = chosen.filter((part) => !parts.includes(part as Part));
if (values.help || unknown.length > 0) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const rows = Number(values.rows);
const ms = Number(values.seconds) * 1000;
const say = (what: string) => void process.stderr.write(`${what}\n`);

async function onSqlite<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const data = await makeFolder();
  try {
    return await work({ data });
  } finally {
    await removeFolder(data);
  }
}

async function onPostgres<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const data = await makeFolder();
  const server = await startPostgres({ durable: true });
  const owner = new pg.Client({ connectionString: `${server.url}/postgres` });
  await owner.connect();
  try {
    await owner.query('create database bench');
    return await work({ data, database: `${server.url}/bench` });
  } finally {
    await owner.end();
    await server.remove();
    await removeFolder(data);
  }
}

async function onBoth<T>(work: (place: Place) => Promise<T>): Promise<Pair<T>> {
  say('SQLite');
  const sqlite = await onSqlite(work);
  say('PostgreSQL');
  return { sqlite, postgres: await onPostgres(work) };
}

const printPair = (of: string, figures: Pair<readonly Figure[]>) =>
  process.stdout.write(`\n${pairTable([{ of, figures }])}\n\n`);
const print = (of: string, figures: readonly Figure[]) =>
  process.stdout.write(`\n${figureTable([{ of, figures }])}\n\n`);

const measured: { -readonly [P in Part]?: Pages[P] } = {};
const works: Readonly<Record<Part, () => Promise<void>>> = {
  async command() {
    measured.command = await measureCommand({ rounds: 21, records: 2 * rows, say });
    print('the command', [...measured.command.facility, ...measured.command.large]);
  },
  async client() {
    measured.client = await measureClient(21);
    print('the client', measured.client);
  },
  async photos() {
    measured.photos = await measurePhotos({ count: 200, large: 20, rounds: 3, say });
    print('photos', measured.photos);
  },
  async store() {
    measured.store = await measureStore({ count: 40, rounds: 3, say });
    print('photos in an S3 store', measured.store);
  },
  async copies() {
    const sizes = { records: rows, cars: Math.ceil(rows / 20) };
    measured.copies = await onSqlite((place) => measureCopies(place, { ...sizes, say }));
    print('copies', measured.copies);
  },
  async dashboard() {
    measured.dashboard = await measureDashboard({ assignments: rows, ms, say });
    print('the dashboard', measured.dashboard);
  },
  async search() {
    measured.search = await onBoth((place) => measureSearch(place, { rows, ms, say }));
    printPair(`searches of ${rows} cars`, measured.search);
  },
  async service() {
    const options = { rows, rounds: 3, ms, only: values.case, say };
    const { sqlite, postgres } = await onBoth((place) => measureService(place, options));
    const space = values.case === undefined ? await onBoth(measureSpace) : undefined;
    measured.service = {
      facility: { sqlite: sqlite.facility, postgres: postgres.facility },
      large: {
        sqlite: [...sqlite.large, ...(space ? [space.sqlite] : [])],
        postgres: [...postgres.large, ...(space ? [space.postgres] : [])],
      },
    };
    printPair('a facility of 1,000 cars', measured.service.facility);
    printPair(`${rows} appointments`, measured.service.large);
  },
};
for (const part of parts) if (chosen.includes(part)) await works[part]();
if (values.only === undefined && values.case === undefined)
  keepPage({ ...(measured as Pages), rows });
