/** What people read of commands beyond the counter, line by line. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { scopes } from '../../../src/contract/scopes.ts';
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
import { noon, type Step, stopClock, transcript } from '../../helpers/transcript.ts';

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

const reads = async (name: string, steps: readonly Step[], more: Record<string, string> = {}) =>
  expect(
    await transcript(steps, {
      hidden: { folder, limited, ...more },
      cwd: folder,
      home: folder,
      env: {
        CS_BASE_URL: service.url,
        CS_API_KEY: key,
        CS_CONFIG_DIR: join(folder, 'config'),
        CS_STATE_DIR: join(folder, 'state'),
        CS_CACHE_DIR: join(folder, 'cache'),
      },
    }),
  ).toMatchFileSnapshot(`transcripts/${name}.txt`);

test('sync', async () => {
  const [car] = await make.read('/cars');
  await reads(
    'sync',
    [
      'cs sync cars customers --to mirror.db',
      'cs sync status mirror.db',
      'cs sync cars --to mirror.db --exit-code',
      'cs sync verify mirror.db',
      () => make.change(`/cars/${car.id}`, { color: 'Blue', notes: 'Two keys.' }),
      () => make.car({ nickname: 'Second', licensePlate: 'HH-S 2' }),
      'cs sync verify mirror.db cars',
      'cs sync cars --to mirror.db --exit-code | cat',
      () => {
        const mirror = new DatabaseSync(join(folder, 'mirror.db'));
        mirror.exec("insert into cars (id, nickname) values ('gone', 'Gone')");
        mirror.close();
        return Promise.resolve();
      },
      'cs sync verify mirror.db cars',
      'cs sync cars --to mirror.db --full',
      'CS_API_KEY={limited} cs sync cars customers forms --to other.db',
      'CS_API_KEY={limited} cs sync cars customers --to other.db | cat',
      'cs sync cars --to export',
      'cs sync cars --to cars.csv',
      'cs sync cars --to -',
      'cs sync cars --to .',
      'cs sync cars',
      'cs sync cars --to postgres://host',
      'cs sync car-events --to mirror.db',
      'cs sync nothing --to mirror.db',
      'cs sync status nothing.db',
      async () => write('broken.db', 'notes '.repeat(200)),
      'cs sync cars --to broken.db',
      async () => {
        const other = new DatabaseSync(join(folder, 'foreign.db'));
        other.exec('create table notes (id text)');
        other.close();
      },
      'cs sync cars --to foreign.db',
      async () => write('address', 'nowhere'),
      'CS_MIRROR_URL_FILE=address cs sync cars',
      'CS_MIRROR_URL_FILE=none cs sync cars',
    ],
    { car: car.id },
  );
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
  const server = await startMisbehavingServer(
    ({ url }) => answers[/(\w+)(\?.*)?$/.exec(url)?.[1] ?? ''] ?? page,
  );
  await reads(
    'several',
    [
      'cs export cars contacts --to one',
      'cs export cars customers contacts locations forms --to two',
      'cs export contacts locations --to three',
      'cs export cars templates forms --to four',
      'cs export cars templates forms --to five | cat',
    ].map((line) => `CS_BASE_URL={other} ${line}`),
    { other: server.url },
  );
  await server.close();
});

test('export', () =>
  reads('export', [
    'cs export cars customers --to out',
    'cs export cars customers --to out',
    'cs export cars --to out --overwrite',
    'cs export cars customers --to out --overwrite -o csv',
    'CS_OUTPUT=csv cs export cars --to csv',
    'CS_OUTPUT=csv cs export cars --to json -o json | cat',
    'CS_OUTPUT=table cs export cars --to ndjson',
    'cs export --all cars --to out',
    'cs export --to out',
    'cs export cars --to -',
    'cs export cars --to cars.csv',
    'cs export nothing --to out',
    'CS_API_KEY={limited} cs export cars customers --to limited',
  ]));

test('campaigns', async () => {
  const [spring] = await make.read('/marketing/campaigns?limit=1');
  await reads('campaigns', [
    'cs campaigns list',
    'cs campaigns get "Spring letter"',
    'cs campaigns audiences list "Spring letter"',
    'cs campaigns content list "Spring letter"',
    'cs campaigns sends list "Spring letter"',
    'cs campaigns send "Spring letter"',
    'cs campaigns send "Spring letter" --dry-run',
    'cs campaigns send "Spring letter" --confirm 7',
    'cs campaigns pause "Spring letter"',
    'cs campaigns schedule "Spring letter"',
    'cs campaigns schedule "Spring letter" --at 2049-01-01 --confirm 1',
    'cs campaigns update "Spring letter" --input \'{"status":"sending"}\'',
    'cs campaigns update "Spring letter" --input \'{"scheduledAt":"2060-01-01T08:00:00Z"}\'',
    'cs api PATCH "/marketing/campaigns/{Spring letter}" -f status=scheduled',
    'cs campaigns audiences create "Spring letter" --name Regulars --tags vip,club --location Main',
    'cs campaigns audiences create "Spring letter" --name "Just Ann" --customers "Ann Lee"',
    'cs campaigns content create "Spring letter" --template Welcome --delay-minutes 1440',
    'cs campaigns content create "Spring letter" --subject Later --body "See you." --delay-minutes 120',
    'cs campaigns content create "Spring letter" --subject Last --body "Bye." --delay-minutes 61',
    'cs campaigns audiences list "Spring letter"',
    'cs campaigns content list "Spring letter"',
    'cs campaigns send "Spring letter" --dry-run',
    'cs campaigns schedule "Spring letter" --at "2060-01-01 08:00" --confirm "Spring letter"',
    'cs campaigns list',
    'cs campaigns cancel "Spring letter"',
    'cs campaigns cancel "Spring letter" --yes',
    'cs campaigns resume "Spring letter"',
    'cs campaigns create --name Empty --channel email --from-name "The garage"',
    'cs campaigns send Empty --confirm Empty',
    'cs campaigns audiences create Empty --name Main',
    'cs campaigns send Empty --confirm Empty',
    'cs campaigns content create Empty --subject S --body B',
    'cs campaigns audiences delete Empty Main --yes',
    'cs campaigns send Empty --confirm Empty',
    `cs campaigns cancel --ids ${spring.id} --yes`,
  ]);
});

test('assets', () => {
  mkdirSync(join(folder, 'pictures/Evenings'), { recursive: true });
  write('pictures/gate.png', png(21));
  write('pictures/Evenings/bar.png', png(22));
  write('pictures/.hidden', 'x');
  write('pictures/notes.xyz', 'x');
  write('empty.png', '');
  return reads('assets', [
    'cs assets upload pictures --dry-run',
    'cs assets upload pictures',
    'cs assets upload pictures',
    'cs assets upload pictures/gate.png --folder Summer --tags hall,indoors',
    'cs assets upload empty.png',
    'cs assets upload nothing.png',
    // Not all: a folder's files are sent several at once.
    'cs assets list --q gate',
    'cs assets list --folder Evenings',
    'cs assets download hall.png --to saved',
    'cs assets download hall.png bar.png --to saved',
    async () => write('saved/hall.png', 'other'),
    'cs assets download hall.png bar.png --to saved',
    'cs assets download hall.png --to saved',
    'cs assets download hall.png --to saved --overwrite | cat',
    'cs assets download --folder Evenings --to evenings',
    'cs assets download --folder Empty --to none',
    'cs assets download',
    'cs assets download hall.png --all',
    'cs assets download hall.png --to empty.png',
  ]);
});

test('templates', () =>
  reads('templates', [
    'cs templates prune',
    'cs templates prune --keep 0 --dry-run',
    'cs templates prune --unused-for 90d --dry-run',
    "cs templates prune --name 'ci/build [01]' --dry-run --exit-code",
    "cs templates prune --name 'ci/build 1'",
    "cs templates prune --name 'ci/build 1' --confirm 2",
    "cs templates prune --name 'ci/build 1' --confirm 1 --exit-code",
    "cs templates prune --name 'ci/build 1' --confirm 1 --exit-code",
    'cs templates prune --channel letter --keep 1 --dry-run',
    'cs templates get Welcome',
  ]));

test('forms', () =>
  reads('forms', [
    'cs forms list',
    'cs forms get feedback',
    `cs forms create --name Trial --input '{"fields":[{"key":"day","label":"Which day?","type":"date"},{"key":"ok","label":"OK?","type":"checkbox"},{"key":"parts","label":"Parts","type":"multiselect","options":["hood","roof, soft","doors"]},{"key":"name","label":"Name","type":"text","required":true}]}'`,
    'cs forms submissions create trial --answer name=Bo',
    'cs forms publish trial',
    'cs forms submissions create trial',
    'cs forms submissions create trial --answer name',
    'cs forms submissions create trial --answer size=1',
    'cs forms submissions create trial --answer name=Bo --answer name=Ann',
    'cs forms submissions create trial --answer name=Bo --answer day=tomorrow --answer ok=yes --answer parts=hood,doors --answer "parts=roof, soft" | cat',
    'cs forms submissions create trial --answer name=Cy --answer day= --answer ok=off',
    'cs forms submissions create trial --answer name=Di --answer ok=perhaps',
    'cs forms submissions create trial --answer ok=1',
    'cs forms submissions list trial',
    'cs forms submissions list feedback',
    'cs forms close trial',
    'cs forms submissions create trial --answer name=Bo',
  ]));

test('threads', () =>
  reads('threads', [
    'cs threads list',
    'cs threads get "Winter storage"',
    'cs threads messages send "Winter storage"',
    'cs threads messages send "Winter storage" --body "Your car is ready."',
    'cs threads messages send "Winter storage" --note --body "Key is in box 4." --dry-run',
    'cs threads messages send "Winter storage" --note --body "Key is in box 4."',
    'cs threads messages list "Winter storage"',
  ]));

test('usage, watch and the smaller commands', () =>
  reads('others', [
    'cs usage',
    'cs usage --by car',
    'cs usage --by zone | cat',
    'cs usage --month 2050-04',
    'cs usage --month 2050-13',
    'cs watch cars --once --since "1 hour ago"',
    'cs watch cars forms --once --since "1 hour ago" --exec "echo $CS_CHANGE_RESOURCE $CS_CHANGE_NAME"',
    'cs watch cars --once --exec "exit 3" --since "1 hour ago" --every 10ms',
    'cs watch cars --since tomorrow',
    'cs watch car-events',
    'cs social-events list',
    'cs social-events get "Autumn drive"',
    'cs social-events rsvps list "Autumn drive"',
    'cs social-events invites list "Autumn drive"',
    'cs social-posts list',
    'cs social-accounts list',
    'cs customers list',
    'cs contacts list',
    'cs event-types list',
    'cs parking zones list',
    'cs parking spots list',
    'cs parking assignments list',
    'cs open cars -o json',
    'cs open Greta | cat',
  ]));

test('profiles, settings and sign-in', () => {
  write('key.txt', `${key}\n`);
  chmodSync(join(folder, 'key.txt'), 0o644);
  return reads('profiles', [
    'CS_API_KEY= CS_BASE_URL= cs profiles list',
    'CS_API_KEY= CS_BASE_URL= cs auth logout',
    'CS_API_KEY= CS_BASE_URL= cs config set output json',
    'CS_API_KEY= cs auth login',
    'CS_API_KEY= cs auth login --key-file none.txt',
    'CS_API_KEY= cs auth login --key-file key.txt',
    'CS_API_KEY= cs auth login --key-file key.txt --profile work --production',
    'CS_API_KEY= CS_BASE_URL= cs auth login --key-file key.txt --profile other --read-only --base-url http://localhost:1',
    'CS_API_KEY= CS_BASE_URL= cs profiles list',
    'CS_API_KEY= CS_BASE_URL= cs profiles use default',
    'CS_API_KEY= CS_BASE_URL= cs profiles use work',
    'CS_API_KEY= CS_BASE_URL= cs profiles use nothing',
    'CS_API_KEY= CS_BASE_URL= cs profiles set default --read-only',
    'CS_API_KEY= CS_BASE_URL= cs profiles set default --no-read-only | cat',
    'CS_API_KEY= CS_BASE_URL= cs profiles set default',
    'CS_API_KEY= CS_BASE_URL= cs config set timeout 10',
    'CS_API_KEY= CS_BASE_URL= CS_TIMEOUT=20 cs config set timeout 12',
    'CS_API_KEY= CS_BASE_URL= cs config set photos.drop_off front,rear',
    'CS_API_KEY= CS_BASE_URL= cs config set quiet true',
    'CS_API_KEY= CS_BASE_URL= cs config unset quiet',
    'CS_API_KEY= CS_BASE_URL= cs config list --origin',
    'CS_API_KEY= CS_BASE_URL= cs config get timeout',
    'CS_API_KEY= CS_BASE_URL= cs config get key',
    'CS_API_KEY= CS_BASE_URL= cs config get tiemout',
    'CS_API_KEY= CS_BASE_URL= cs config get something-else',
    'CS_API_KEY= CS_BASE_URL= cs config set yes yes',
    'CS_API_KEY= CS_BASE_URL= cs config set key x',
    'CS_API_KEY= CS_BASE_URL= cs config unset profile',
    'CS_API_KEY= CS_BASE_URL= cs config set timeout soon',
    'cs config path',
    'CS_API_KEY= CS_BASE_URL= cs auth status',
    'CS_API_KEY= CS_BASE_URL= cs doctor',
    'CS_API_KEY={limited} cs doctor',
    'cs auth logout --yes',
    'CS_API_KEY= CS_BASE_URL= cs profiles remove work',
    'CS_API_KEY= CS_BASE_URL= cs profiles remove default --yes',
  ]);
});

test('commands without a server', () =>
  reads('offline', [
    'SHELL=/bin/zsh cs completion install',
    'SHELL=/bin/bash cs completion install',
    'SHELL=/usr/bin/fish cs completion install | cat',
    'SHELL=/bin/csh cs completion install',
    'cs completion install',
    'cs completion nothing',
    'cs explain parking_spot_occupied',
    'cs explain http_404',
    'cs explain 409',
    'cs explain 15',
    'cs explain 16',
    'cs explain 99',
    'cs explain parking_spot_ocupied',
    'cs schema cars create',
    'cs schema car events list',
    'cs schema asset-folders',
    'cs schema asset-folders create -o table | cat',
    'cs explain 15 -o table | cat',
    'cs schema carz',
  ]));

test('requests of any kind', () =>
  reads('api', [
    'cs api',
    'cs api GET',
    'cs api POTS /cars',
    'cs api /cars id',
    'cs api https://cars.example.com/cars',
    'cs api /',
    'cs api "/cars/{Greta}"',
    'cs api "/{Greta}/cars"',
    'cs api "/cars?limit=1" --input {}',
    'cs api POST /cars -F year=1973 -f make=Porsche -f model=911 --dry-run',
    "cs api PATCH '/customers/{Ann Lee}' -f 'tags[]=vip' -f 'tags[]=club' -f 'address[city]=Kiel' --dry-run",
    'cs api POST /cars -f a=1 -f a=2',
    "cs api POST /cars -f 'a[]=1' -f a=2",
    "cs api POST /cars -f 'a[b]=1' -f 'a[]=2'",
    "cs api POST /cars -f 'a[][b]=1'",
    'cs api POST /cars -f =1',
    'cs api POST /cars -F a=12345678901234567890',
    'cs api POST /cars -F a=@nothing',
    'cs api POST /cars -F a=-1.5e3 -F b=null -F c=true -F d=01 -F e=0 --dry-run',
    'cs api DELETE "/cars/{Greta}"',
    'cs api "/cars?page=9"',
    'cs api /nothing',
    'cs api POST /nothing --dry-run',
  ]));
