/** Names with the same letters and digits as others: `BO-T 7` and `B-OT 7` are the plates of two cars. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { noon } from '../../helpers/other-facility.ts';
import { openTerminal } from '../../helpers/terminal.ts';
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

describe.each(['plain', 'ignores filters'] as const)('%s', (name) => {
  test.each([
    "pickup 'BO-T 7' --type pick_up --yes",
    "cars update 'BO-T 7' --color red",
    "move 'BO-T 7' --spot A3",
    "parking assignments update 'BO-T 7' --ended-at now",
    "appointments cancel 'BO-T 7'",
  ])('a script takes no other car: cs %s', async (line) => {
    const { facility } = await open(name);
    const { code, told } = await runOn(facility, line);
    expect([code, told]).toEqual([6, expect.stringContaining('No car found for "BO-T 7"')]);
    expect(told).toMatch(/B-OT 7.* is written otherwise: give the name exactly, or the id/);
    expect(told).toContain(facility.fill('"id":"{Otto}"'));
    expect(facility.writes()).toEqual([]);
  });

  test.each([
    "pickup 'B-OT 7' --type pick_up --yes",
    'pickup bot7 --type pick_up --yes',
    "pickup 'B OT-7' --type pick_up --yes",
  ])('a script takes the car: cs %s', async (line) => {
    const { facility } = await open(name);
    expect((await runOn(facility, line)).code).toBe(0);
    expect(facility.writes()).toMatchObject([expect.stringContaining('POST /cars/{Otto}/events')]);
  });

  test('a terminal offers the other car', async () => {
    const { facility } = await open(name);
    const line = [
      'pickup',
      'BO-T 7',
      '--type',
      'pick_up',
      '--no-appointment',
      '--notes',
      'two keys',
    ];
    const terminal = openTerminal(line, { env: facility.env, now: noon });
    await terminal.waitFor(/No car is called "BO-T 7". Which one is it\?[\s\S]*B-OT 7/);
    terminal.press('enter');
    await terminal.waitFor('Hand this car over?');
    terminal.type('y');
    terminal.press('enter');
    expect(await terminal.exited).toBe(0);
    expect(facility.writes()).toMatchObject([expect.stringContaining('POST /cars/{Otto}/events')]);
  });

  test.each([
    [
      'cars',
      'licensePlate',
      'BO-T 7',
      '{"year":1973,"make":"Porsche","model":"911","color":"red",',
    ],
    ['customers', 'email', 'BOB@example.com', '{"firstName":"Rob",'],
  ])('cs import %s --upsert-by %s changes no other record', async (resource, field, value, row) => {
    const { facility } = await open(name);
    const file = join(folder, `${resource}-${name}.ndjson`);
    await writeFile(file, `${row}"${field}":"${value}"}\n`);
    const { code, told } = await runOn(
      facility,
      `import ${resource} '${file}' --upsert-by ${field}`,
    );
    expect([code, facility.writes()]).toEqual([14, []]);
    expect(told).toMatch(
      /No (car|customer) has exactly this (licensePlate|email)\. \S+ is (B-OT 7|bob@example.com)\. Write the value as the server has it/,
    );
  });

  test('cs import --upsert-by changes the record with the value itself', async () => {
    const { facility } = await open(name);
    const file = join(folder, `same-${name}.ndjson`);
    facility.server.records.change('/cars', facility.fill('{Greta}'), { licensePlate: 'BO-T 7' });
    await writeFile(file, '{"licensePlate":"B-OT 7","color":"red"}\n');
    const { code } = await runOn(facility, `import cars '${file}' --upsert-by licensePlate`);
    expect([code, facility.writes()]).toEqual([
      0,
      ['PATCH /cars/{Otto} {"licensePlate":"B-OT 7","color":"red"}'],
    ]);
  });
});
