/**
 * The ways in which a server may differ where the specification is silent (docs/other-servers.md), each on the command lines whose
 * code it reaches: they show the right records and send what was asked, or end with one clear error and send nothing.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { type OtherFacility, openOther } from '../../helpers/other-facility.ts';
import type { Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'photo.png'), png(7));
  await writeFile(join(folder, 'plates.ndjson'), '{"licensePlate":"hh-f 12","color":"red"}\n');
  await writeFile(join(folder, 'cars.ndjson'), '{"year":1981,"make":"Fiat","model":"127"}\n');
});
afterAll(() => removeFolder(folder));

/** A command line with the names of the records that it shows, in any order. */
type Read = readonly [line: string, ...shows: string[]];
/** A command line with the writes that it sends, in any order. */
type Write = readonly [line: string, ...sends: string[]];

function on(ways: Ways, name: string, tests: (facility: () => OtherFacility) => void): void {
  describe(name, () => {
    let opened: OtherFacility;
    beforeAll(async () => {
      opened = await openOther(ways);
    });
    afterEach(() => opened.reset());
    afterAll(() => opened.close());
    tests(() => opened);
  });
}

const shows = (facility: () => OtherFacility, reads: readonly Read[]) =>
  test.each(reads)('cs %s', async (line, ...names) => {
    const { code, stdout, told } = await runOn(facility(), line);
    expect({ code, told }).toEqual({ code: 0, told: '' });
    const ids = [JSON.parse(stdout)].flat().map(({ id }) => id);
    expect(ids.sort()).toEqual(names.map((name) => facility().fill(`{${name}}`)).sort());
    expect(facility().writes()).toEqual([]);
  });

const sends = (facility: () => OtherFacility, writes: readonly Write[]) =>
  test.each(writes)('cs %s', async (line, ...requests) => {
    const { code, told } = await runOn(facility(), line, { cwd: folder });
    expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
    expect(writesOf(facility()).sort()).toEqual([...requests].sort());
  });

/** Neither the content of a file nor the time of the run is of interest here. */
const writesOf = (facility: OtherFacility) =>
  facility
    .writes()
    .map((write) =>
      write.replace(/(photos) \{.*/, '$1').replace(/,"(occurredAt|startedAt)":"[^"]+"/, ''),
    );

const prune: Write = [
  'templates prune --channel sms --confirm 2',
  'DELETE /marketing/templates/{Receipt}',
  'DELETE /marketing/templates/{Reminder}',
];
const pickup: Write = [
  'pickup Ferdi --no-appointment --yes',
  'POST /cars/{Ferdi}/events {"activityType":"pick_up"}',
];
const dropoff: Write = [
  'dropoff --car {Greta} --type drop_off --spot {A3} --no-appointment --yes',
  'POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"}',
];

// None is sent, so a server that ignores them is no other case.
on({ filters: 'refused' }, 'filters that are refused', (facility) => {
  shows(facility, [
    ['cars list --customer {Bob}', 'Ferdi'],
    ['cars get hhf12', 'Ferdi'],
    ['customers list --q ray', 'Bob'],
    ['appointments list --date today', "Ferdi's pick-up", "Greta's drop-off", "Emma's pick-up"],
    [
      "appointments list --customer 'Ann Lee' --status scheduled",
      "Greta's drop-off",
      "Emma's pick-up",
    ],
    [
      'parking assignments list --active',
      ...["Emma's parking", "Ferdi's parking", "Otto's parking"],
    ],
    ['parking assignments list --car Ferdi', "Ferdi's parking"],
  ]);
  sends(facility, [
    prune,
    pickup,
    ['appointments cancel Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"cancelled"}`],
    [
      'import cars plates.ndjson --upsert-by licensePlate',
      'PATCH /cars/{Ferdi} {"licensePlate":"hh-f 12","color":"red"}',
    ],
  ]);
});

on({ deletes: 204 }, 'deletes with 204', (facility) => {
  sends(facility, [
    prune,
    ['contacts delete {Cy} {Max} --confirm 2', 'DELETE /contacts/{Cy}', 'DELETE /contacts/{Max}'],
    ['locations delete Depot --yes', 'DELETE /locations/{Depot}'],
  ]);
});

on({ nulls: 'left out' }, 'nulls left out', (facility) => {
  shows(facility, [
    ['cars list --customer {Bob}', 'Ferdi'],
    [
      'parking assignments list --active',
      ...["Emma's parking", "Ferdi's parking", "Otto's parking"],
    ],
    ['appointments list --car Greta', "Greta's drop-off"],
  ]);
  sends(facility, [
    pickup,
    ['customers update {Bob} --clear externalId', 'PATCH /customers/{Bob} {"externalId":null}'],
    [
      'templates prune --unused-for 90d --confirm 2',
      'DELETE /marketing/templates/{Receipt}',
      'DELETE /marketing/templates/{Winter}',
    ],
  ]);
  test('cs board: what some cars show, the others lack', async () => {
    const { code, stdout } = await runOn(facility(), 'board');
    const spots = JSON.parse(stdout).flatMap((zone: { spots: object[] }) => zone.spots);
    expect([code, spots]).toMatchObject([
      0,
      [
        { name: 'A1', state: 'taken', car: { id: facility().fill('{Emma}') } },
        { name: 'A2', state: 'taken', car: { id: facility().fill('{Ferdi}') } },
        { name: 'A3', state: 'free' },
        { name: 'A4', state: 'inactive' },
      ],
    ]);
  });
});

on({ eventTypes: 'data alone' }, 'event types as { data } alone', (facility) => {
  shows(facility, [
    ['event-types list', 'drop_off', 'pick_up', 'interior_cleaning', 'customer_visit'],
    ['event-types list --scope customer', 'customer_visit'],
    ['event-types get drop_off', 'drop_off'],
  ]);
  sends(facility, [
    dropoff,
    pickup,
    [
      'appointments create --type pick_up --at 2026-06-01T09:00:00Z --for 45m --car {Ferdi}',
      'POST /appointments {"eventTypeId":"{pick_up}","startAt":"2026-06-01T09:00:00.000Z","carId":"{Ferdi}","endAt":"2026-06-01T09:45:00.000Z"}',
    ],
  ]);
});

on({ paths: 'specified' }, 'paths beyond the specification missing', (facility) => {
  shows(facility, [
    ['cars list --status stored', 'Emma', 'Ferdi', 'Otto'],
    ['cars get Ferdi', 'Ferdi'],
    ['customers list --q ray', 'Bob'],
    ['event-types list', 'drop_off', 'pick_up', 'interior_cleaning', 'customer_visit'],
  ]);
  sends(facility, [
    dropoff,
    pickup,
    ['cars photos add {Ferdi} photo.png', 'POST /cars/{Ferdi}/photos'],
    [
      'cars events log Ferdi --type {interior_cleaning}',
      'POST /cars/{Ferdi}/events {"activityType":"interior_cleaning"}',
    ],
    ['contacts delete {Cy} --yes', 'DELETE /contacts/{Cy}'],
    ['locations delete {Depot} --hard --yes', 'DELETE /locations/{Depot}'],
    [
      'campaigns content delete {Spring} {Spring step} --yes',
      'DELETE /marketing/campaigns/{Spring}/content/{Spring step}',
    ],
  ]);
  test.each([
    ['contacts list', 'GET /contacts'],
    ['cars update {Ferdi} --color red', 'PATCH /cars/{id}'],
    ['cars photos list {Emma}', 'GET /cars/{id}/photos'],
    ['templates prune --channel sms --confirm 2', 'GET /marketing/templates'],
    ['move {Ferdi} --spot {A3}', 'POST /parking/assignments'],
    ['board', 'GET /parking/(zones|spots)'],
    ['today', 'GET /appointments'],
    ['usage', 'GET /parking/assignments'],
    ['import cars cars.ndjson', 'POST /cars'],
  ])('cs %s: exit 9, and the operation is named', async (line, operation) => {
    const { code, told } = await runOn(facility(), line, { cwd: folder });
    expect(told).toMatch(new RegExp(`${operation.replace(/[{}]/g, '\\$&')}`));
    expect(code).toBe(9);
    expect(facility().changed()).toEqual([]);
  });
});

on({ photoField: 'image' }, 'another field for photos', (facility) => {
  const add = 'cars photos add {Ferdi} photo.png';
  test(`cs ${add}: the refusal names the flag`, async () => {
    const { code, told } = await runOn(facility(), add, { cwd: folder });
    expect([code, told]).toEqual([
      3,
      expect.stringMatching(/Send either image or sourceUrl[\s\S]*--photo-field/),
    ]);
    expect(facility().changed()).toEqual([]);
  });
  sends(facility, [
    [`${add} --photo-field image`, 'POST /cars/{Ferdi}/photos'],
    [
      'dropoff --car {Greta} --type drop_off --spot {A3} --photo photo.png --photo-field image --yes',
      'POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"}',
      'POST /cars/{Greta}/photos',
    ],
  ]);
});

describe.each([
  ['no idempotency keys: a POST without an answer is not repeated', {}, 1, /may have been/],
  ['idempotency keys: it is repeated, and stored once', { idempotencyKeys: true }, 2, /^$/],
] as const)('%s', (_, ways, posts, says) => {
  test.each(['customers create --first-name Zoe', 'cars events log {Greta} --type pick_up'])(
    'cs %s',
    async (line) => {
      const facility = await openOther(ways);
      try {
        facility.server.spoil = ({ method }, answer) =>
          method === 'POST' && facility.server.writes.length === 1 ? 'lost' : answer;
        const before = facility.server.records.snapshot();
        const { code, told } = await runOn(facility, line, { env: { CS_RETRIES: '3' } });
        expect([code === 0, code === 0 ? '' : told]).toEqual([
          posts === 2,
          expect.stringMatching(says),
        ]);
        expect(facility.server.writes).toHaveLength(posts);
        const added = facility.server.records
          .changedSince(before)
          .filter((path) => !before.has(path) && /customers|events/.test(path));
        expect(added).toHaveLength(1);
      } finally {
        await facility.close();
      }
    },
  );
});
