/** Servers whose search and filters find less than was asked for: what they leave out shows nowhere, and a write could reach another record. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { otherFacilities, runOn } from './run.ts';

const { open, closeAll } = otherFacilities();
let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  await closeAll();
  await removeFolder(folder);
});

const byName = [
  'searches with capitals as they are typed',
  'searches each field by itself',
] as const;

describe.each(byName)('a server that %s', (name) => {
  test('a car is found before an appointment whose title is its name', async () => {
    const { facility } = await open(name);
    facility.server.records.change('/appointments', facility.fill("{Ferdi's pick-up}"), {
      title: 'Emma',
    });
    const { code } = await runOn(facility, 'appointments cancel emma --yes');
    expect([code, facility.writes()]).toEqual([
      0,
      [`PATCH /appointments/{Emma's pick-up} {"status":"cancelled"}`],
    ]);
  });

  test('a customer whose company is called like another customer makes the name ambiguous', async () => {
    const { facility } = await open(name);
    facility.server.records.change('/customers', facility.fill('{Ann}'), {
      companyName: 'Bob Ray',
    });
    const { code, told } = await runOn(facility, "customers update 'Bob Ray' --notes secret");
    expect([code, facility.writes()]).toEqual([14, []]);
    for (const one of ['{Ann}', '{Bob}']) expect(told).toContain(facility.fill(one));
  });

  test.each([
    ["customers get 'Ann Lee'", 'Ann'],
    ["customers get 'bob ray'", 'Bob'],
    ['cars get emma', 'Emma'],
    ['cars get hhf12', 'Ferdi'],
    ['contacts get MAX@EXAMPLE.COM', 'Max'],
  ])('cs %s', async (line, record) => {
    const { facility } = await open(name);
    const { code, stdout } = await runOn(facility, line);
    expect([code, code === 0 && JSON.parse(stdout).id]).toEqual([0, facility.fill(`{${record}}`)]);
  });

  test.each([
    [
      'cars',
      'licensePlate',
      'hh-e 61',
      '{"year":1973,"make":"Porsche","model":"911",',
      0,
      ['PATCH /cars/{Emma} '],
    ],
    ['customers', 'email', 'Bob@Example.com', '{"firstName":"Rob",', 14, []],
    [
      'cars',
      'licensePlate',
      'HH-N 1',
      '{"year":1973,"make":"Porsche","model":"911",',
      0,
      ['POST /cars '],
    ],
  ] as const)(
    'cs import %s --upsert-by %s: %s in other capitals is no new record',
    async (resource, field, value, row, exit, sent) => {
      const { facility } = await open(name);
      const file = join(folder, `${resource}-${name}.ndjson`);
      await writeFile(file, `${row}"${field}":"${value}"}\n`);
      const { code } = await runOn(facility, `import ${resource} '${file}' --upsert-by ${field}`);
      expect([code, facility.writes()]).toEqual([
        exit,
        sent.map((request) => expect.stringContaining(request)),
      ]);
    },
  );
});

describe('a server that takes times for dates', () => {
  /** In every zone the first is after midnight, in UTC, of the date that the day ends on. The other one shows that the filter is applied. */
  function move({ server, fill }: OtherFacility): void {
    const starts = {
      "{Emma's pick-up}": new Date(2026, 4, 5, 23, 30),
      "{Otto's pick-up}": new Date('2026-04-15T00:00:00Z'),
    };
    for (const [name, start] of Object.entries(starts))
      server.records.change('/appointments', fill(name), {
        startAt: start.toISOString(),
        endAt: null,
      });
  }

  test.each([
    // It lacks the sessions that the rest of the report needs.
    ['today', 11],
    ['appointments list --date today', 0],
  ])('cs %s', async (line, exit) => {
    const { facility } = await open('takes times for dates');
    move(facility);
    const { code, stdout } = await runOn(facility, `${line} --json`);
    expect(code).toBe(exit);
    expect(stdout).toContain(facility.fill(`"{Emma's pick-up}"`));
    expect(stdout).not.toContain(facility.fill(`"{Otto's pick-up}"`));
  });

  test("a pick-up finds today's appointment", async () => {
    const { facility } = await open('takes times for dates');
    move(facility);
    const { code } = await runOn(facility, 'pickup Emma --type pick_up --appointment today --yes');
    expect([code, facility.writes()]).toEqual([
      0,
      [expect.stringContaining(`"appointmentId":"{Emma's pick-up}"`)],
    ]);
  });
});

test('one of several records with a name is not taken for the only one, although a cut page shows no other', async () => {
  const server = await startOtherServer(
    { narrow: 'page', pages: { most: 1, above: 'cut' } },
    () => noon,
  );
  try {
    const facility = furnish(server);
    // The newest change first: between the two is a car with another name, whose page is empty.
    server.records.change('/cars', facility.fill('{Ferdi}'), {});
    server.records.change('/cars', facility.fill('{Greta}'), { nickname: 'Emma' });
    const { code } = await runOn(facility, 'cars update Emma --notes x');
    expect([code, facility.writes()]).toEqual([14, []]);
  } finally {
    await server.close();
  }
});
