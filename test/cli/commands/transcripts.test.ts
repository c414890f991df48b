/** What people read of commands beyond the counter, line by line. The commands are those of the files in transcripts/. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.ts';
import { cs } from '../../helpers/cli.ts';
import { makeOriginal } from '../../helpers/example-facility.ts';
import { type Facility, facility, png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import {
  type Behaviour,
  json,
  problem,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';
import { startTestService } from '../../helpers/service.ts';
import { copyTeam } from '../../helpers/team-copy.ts';
import { noon, replay, stopClock } from '../../helpers/transcript.ts';
import { emptyPng } from './photos/photo-bytes.ts';

const service = await startTestService({ dashboard: {} });
const root = await makeFolder();
// Later: every service of this process starts with the records of the first one.
const startClock = stopClock();
afterAll(async () => {
  startClock();
  await service.close();
  await removeFolder(root);
});
const { slug } = await makeOriginal(service, 'garage', noon);

let made = 0;
/** Of a team and with a folder of its own. */
let folder: string;
let key: string;
let limited: string;
let make: Facility;
beforeEach(async () => {
  const team = `garage-${++made}`;
  await copyTeam(service, slug, team);
  key = await service.keyWith(scopes, team);
  limited = await service.keyWith(['read:cars', 'write:cars'], team);
  make = facility(service, key);
  folder = join(root, team);
  mkdirSync(folder);
});
const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(folder, name), content);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const reads = (
  name: string,
  { hidden, tasks }: Pick<Parameters<typeof replay>[1], 'hidden' | 'tasks'> = {},
) =>
  replay(join(import.meta.dirname, 'transcripts', `${name}.txt`), {
    hidden: { folder, limited, ...hidden },
    tasks,
    cwd: folder,
    home: folder,
    env: {
      CS_BASE_URL: service.url,
      CS_API_KEY: key,
      CS_CONFIG_DIR: join(folder, 'config'),
      CS_STATE_DIR: join(folder, 'state'),
      CS_CACHE_DIR: join(folder, 'cache'),
    },
  });

test.each(['api', 'export', 'forms', 'offline', 'templates', 'threads'])('%s', (name) =>
  reads(name),
);

test('others, and lists of a team without records', async () => {
  await reads('others', { hidden: { nothing: (await service.newTeam()).key } });
});

test('import: what is refused, and what a preview shows', async () => {
  const rows = '{"lastName":"A"}\n{"lastName":"B"}\n{"lastName":"C"}\n{"lastName":"D"}\n';
  const text = 'something else\n';
  write('a.ndjson', rows);
  symlinkSync('a.ndjson', join(folder, 'link.ndjson'));
  write('b.txt', text);
  write('large.csv', 'lastName\n');
  truncateSync(join(folder, 'large.csv'), 10_000_000_000);
  write('surnames.csv', 'Surname;status\nLee;lead\n');
  write('quote.csv', 'lastName,notes\nLee,5" rim\n');
  write('events.ndjson', '{"activityType":"drop_off"}\n');
  write('emails.csv', 'email,firstName\n,Ann\na@example.com,A\nA@Example.com,B\n');
  write('plates.csv', 'licensePlate,year,make,model\nWNA-B 123,2002,VW,Golf\n');
  write('packed.csv.gz', gzipSync('lastName\nLee\n'));
  write('broken.json', '[{"lastName":"A"}{"lastName":"B"}]');
  write('many.json', rows);
  write('twice.csv', 'lastName,status,lastName\nLee,lead,Lee\n');
  write('nameless.csv', 'lastName,,status\nLee,,lead\n');
  write('twins.csv', 'email,firstName\ntwin@example.com,A\n');
  for (const lastName of ['One', 'Two'])
    await make.customer({ lastName, email: 'twin@example.com' });
  await reads('import');
  expect(['a.ndjson', 'b.txt'].map(read)).toEqual([rows, text]);
});

test('a facility as a file', async () => {
  const spots = '[{ name: A12, kind: standard, notes: null }, B1]';
  const hall = `    zones:\n      - name: Hall 1\n        capacity: null\n`;
  const other = '  - name: North\n    zones: [{ name: Hall 2, spots: [C1] }]\n';
  write('moved.yaml', `locations:\n  - name: Main\n${hall}    spots: ${spots}\n${other}`);
  write('same.yaml', 'locations:\n  - name: Main\n    zones: [Hall 1]\n');
  write('empty.yaml', 'locations:\n');
  write(
    'forms.yaml',
    'forms:\n  - name: Feedback\n    slug: feedback\n    status: published\n    fields: [{ key: rating, label: How was it?, type: number }]\n',
  );
  write(
    'wrong.yaml',
    'locations:\n  - name: 7\n    spots: [A1, { name: A1 }, 7, { name: A3, zoneId: x }]\n  - zones: none\n    capacity: -1\ntags: []\n',
  );
  const parking = ['read:locations', 'read:parking', 'write:parking'] as const;
  const key = await service.keyWith(parking, `garage-${made}`);
  await reads('facility', { hidden: { parking: key } });
});

test('sync', async () => {
  const [car] = await make.read('/cars');
  const inDatabase = (name: string, sql: string) => {
    const database = new DatabaseSync(join(folder, name));
    database.exec(sql);
    database.close();
  };
  write('broken.db', 'notes '.repeat(200));
  inDatabase('foreign.db', 'create table notes (id text)');
  write('address', 'nowhere');
  await reads('sync', {
    hidden: { car: car.id },
    tasks: {
      async 'a car is changed, and three are added'() {
        await make.change(`/cars/${car.id}`, { color: 'Blue', notes: 'Two keys.' });
        for (const number of [2, 3, 4]) await make.car({ licensePlate: `HH-S ${number}` });
      },
      async 'the newest contact is deleted after a run'() {
        const { id } = await make.contact();
        const env = { CS_BASE_URL: service.url, CS_API_KEY: key };
        await cs(['sync', 'contacts', '--to', 'mirror.db'], { cwd: folder, env });
        await cs(['contacts', 'delete', id, '--yes'], { env });
      },
      'four rows that the server does not have are in the mirror': () =>
        inDatabase(
          'mirror.db',
          "insert into cars (id) values ('gone-1'), ('gone-2'), ('gone-3'), ('gone-4')",
        ),
      'the mirror is of another team': () =>
        inDatabase('mirror.db', "update cs_mirror set team_id = 'other', team_name = 'Other'"),
      'the mirror is of another version': () =>
        inDatabase('mirror.db', 'update cs_mirror set version = 99'),
    },
  });
});

test('what fails of several resources', async () => {
  const page = json(200, { data: [], page: 1, limit: 200, total: 0 });
  const answers: Readonly<Record<string, Behaviour>> = {
    me: problem(404, 'route_not_found'),
    customers: problem(403, 'missing_scope'),
    contacts: problem(422, 'validation_failed'),
    locations: problem(422, 'duplicate'),
    templates: problem(503, 'unavailable'),
  };
  write('key.txt', key);
  chmodSync(join(folder, 'key.txt'), 0o600);
  const server = await startMisbehavingServer(
    ({ url }) => answers[/(\w+)(\?.*)?$/.exec(url)?.[1] ?? ''] ?? page,
  );
  await reads('several', { hidden: { other: server.url } });
  await server.close();
});

test('counter', async () => {
  const [main, depot] = await Promise.all(
    ['Main', 'Depot'].map(async (name) => (await make.read(`/locations?q=${name}`))[0].id),
  );
  await make.zone(main, { name: 'Bare' });
  const full = await make.zone(main, { name: 'Full', capacity: 1 });
  const stranger = await make.car({ nickname: 'Stranger', licensePlate: 'HH-S 1' });
  await make.assignment({ carId: stranger.id, parkingZoneId: full.id });
  for (const id of [main, depot]) await make.spot(id, { name: 'A3' });
  await make.spot(main, { name: 'B1', isActive: false });
  const emma = await make.car({ nickname: 'Emma', model: '911', licensePlate: 'HH-E 61H' });
  await make.car({ nickname: 'Archie', model: '911', licensePlate: 'HH-A 1', status: 'archived' });
  const other = await make.appointment({ carId: emma.id, eventType: 'pick_up' });
  mkdirSync(join(folder, 'outer/inner'), { recursive: true });
  write('front.png', png(21));
  write('cut.png', png(21).subarray(0, 60));
  write('bomb.png', emptyPng(100_000, 100_000));
  write('notes.txt', 'x');
  write('empty.jpg', '');
  write('list.csv', 'A12,HH-E 61H\nA3,\n');
  write('wrong.csv', 'A12\n');
  write('plan.yaml', 'care:\n  - type: nothing\n');
  const empty = (await service.newTeam()).key;
  const parkingReader = await service.keyWith(
    scopes.filter((scope) => scope !== 'write:parking'),
    `garage-${made}`,
  );
  await reads('counter', { hidden: { other: other.id, empty, parkingReader } });
});

test('campaigns', async () => {
  const [spring] = await make.read('/marketing/campaigns?limit=1');
  await reads('campaigns', { hidden: { spring: spring.id } });
});

test('assets', () => {
  mkdirSync(join(folder, 'pictures/Evenings'), { recursive: true });
  write('pictures/gate.png', png(21));
  write('pictures/Evenings/bar.png', png(22));
  write('pictures/.hidden', 'x');
  write('pictures/notes.xyz', 'x');
  write('empty.png', '');
  mkdirSync(join(folder, 'nothing-in-it'));
  // No list of all: a folder's files are sent several at once.
  return reads('assets', {
    tasks: {
      'another file is in the place of hall.png': () => write('saved/hall.png', 'other'),
    },
  });
});

test('profiles, settings and sign-in', () => {
  write('key.txt', `${key}\n`);
  write('empty.txt', '\n');
  chmodSync(join(folder, 'key.txt'), 0o644);
  return reads('profiles');
});
