/** Servers whose photos, events, steps … of one record are mixed with those of others: nothing of another car is shown, changed or deleted. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer, type Ways } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
let folder: string;
const on = async (ways: Ways) => {
  facility = furnish(await startOtherServer(ways, () => noon));
};
beforeEach(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'front.jpg'), 'the bytes of front.jpg');
  await writeFile(join(folder, 'new.png'), png());
});
afterEach(async () => {
  await facility.server.close();
  await removeFolder(folder);
});

describe('one list for the records of all', () => {
  test.each([
    'cars photos list Ferdi',
    "cars photos get Ferdi {Emma's photo}",
    'cars photos delete Ferdi front.jpg --yes',
    "cars photos delete Ferdi {Emma's photo} --yes",
    "cars photos download Ferdi --to 'DIR/photos'",
    "cars photos verify Ferdi 'DIR/front.jpg' --move-to 'DIR/moved'",
    'cars events list Ferdi',
    "cars events get Ferdi {Emma's drop-off}",
    'campaigns content list Summer',
    'campaigns content delete Summer {Spring step} --yes',
    'campaigns content update Summer {Spring step} --subject Hi',
    'threads messages list Keys',
  ])('cs %s', async (line) => {
    await on({ nested: 'mixed' });
    const { code, stdout, told } = await runOn(facility, line.replaceAll('DIR', folder));
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toMatch(
      /a record whose (car|campaign|thread)Id is \S+, so the server ignores the id in the path/,
    );
    expect(told).toContain('filter_ignored');
    expect(facility.writes()).toEqual([]);
  });

  test('without a path of a step, its list tells whose it is', async () => {
    await on({ nested: 'mixed', singleRecord: 'none below another' });
    const { code, told } = await runOn(
      facility,
      'campaigns content delete {Summer} {Spring step} --yes',
    );
    expect([code, told]).toEqual([9, expect.stringContaining('a record whose campaignId is ')]);
    expect(facility.writes()).toEqual([]);
    expect(
      (await runOn(facility, 'campaigns content delete {Spring} {Spring step} --yes')).code,
    ).toBe(0);
    expect(facility.changed()).toEqual(['Spring step']);
  });

  test('an import updates no record of another form', async () => {
    await on({ nested: 'mixed' });
    const row = (answer: string) =>
      JSON.stringify({
        formId: facility.fill('{Feedback}'),
        id: facility.fill(`{${answer}}`),
        status: 'reviewed',
      });
    const { code, stdout } = await runOn(
      facility,
      'import form-submissions - --update --format ndjson',
      {
        stdin: row('Waiting list answer'),
      },
    );
    expect([code, JSON.parse(stdout)]).toMatchObject([
      9,
      [{ did: 'failed', error: { code: 'filter_ignored' } }],
    ]);
    expect(facility.writes()).toEqual([]);
    const own = await runOn(facility, 'import form-submissions - --update --format ndjson', {
      stdin: row('Feedback answer'),
    });
    expect(own).toMatchObject({ code: 0 });
    expect(facility.changed()).toEqual(['Feedback answer']);
  });

  test('the records of the car itself are deleted', async () => {
    await on({ nested: 'mixed' });
    expect((await runOn(facility, "cars photos delete Emma {Emma's photo} --yes")).code).toBe(0);
    expect(facility.changed()).toEqual(["Emma's photo"]);
  });
});

const nested = ["another's", "another's in answers"] as const;
const lines = [
  'dropoff Greta --type drop_off --spot A3 --yes',
  'pickup Ferdi --type pick_up --yes',
  'cars events log Ferdi --type interior_cleaning',
  "cars photos add Ferdi 'DIR/new.png'",
];

test.each(nested.flatMap((nested) => lines.map((line) => [line, nested] as const)))(
  'an answer with the id of another car: cs %s, nested %s',
  async (line, nested) => {
    await on({ nested });
    const { code, told } = await runOn(facility, line.replaceAll('DIR', folder));
    expect([code, told]).toEqual([
      9,
      expect.stringContaining(
        'a record whose carId is another, so the server ignores the id in the path',
      ),
    ]);
    expect(facility.writes()).toHaveLength(1);
  },
);

test('a repeat takes no record that looks like the one whose answer named another car', async () => {
  await on({ nested: "another's in answers" });
  const line = 'pickup Ferdi --type pick_up --yes';
  expect((await runOn(facility, line)).code).toBe(9);
  const { told } = await runOn(facility, line);
  expect(told).toContain("This server can't tell whether the event of the pick-up");
  expect(facility.writes()).toHaveLength(1);
});
