/** Every command that reads, on every server of another team: it shows the right records, or says why it can't. It writes nothing. */
import { afterAll, describe, expect, test } from 'vitest';
import { type ReadCase, reads } from './reads.ts';
import {
  cutLists,
  cutsLists,
  exitOfMissing,
  hasUnknownTimes,
  isAnotherRecord,
  otherFacilities,
  pageForAll,
  type Ran,
  runOn,
  untoldTime,
} from './run.ts';
import { type VariationName, variationNames } from './servers.ts';
import type { Refused } from './writes.ts';

const { open, closeAll } = otherFacilities();
afterAll(closeAll);

describe.each(variationNames)('%s', (name) => {
  test.each(reads)('cs $line', async (one) => {
    const { facility, own } = await open(name);
    const whole =
      name.startsWith('gives two records') &&
      / list|^api /.test(one.line) &&
      !one.line.includes('--all')
        ? ' --all'
        : '';
    const { code, stdout, told } = await runOn(facility, own(one.line + whole));
    const refused = refusedRead(one, name, { code, told });
    if (refused) {
      expect(told).toMatch(refused.says);
      expect(code).toBe(refused.code);
    } else {
      expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
      const ids = [JSON.parse(stdout)].flat().map(({ id }) => String(id).toLowerCase());
      // A list shows what the server finds, and the words are typed in small letters.
      const shown =
        name === 'searches with capitals as they are typed' && one.line.includes('--q ')
          ? []
          : one.shows;
      expect(ids.sort()).toEqual(shown.map((record) => facility.fill(`{${record}}`)).sort());
    }
    expect(facility.writes()).toEqual([]);
  });
});

test.each([
  ['cars list --status in_the_hall', ['Emma', 'Ferdi', 'Otto']],
  ['customers list --status prospect', ['Bob']],
])('a filter takes a value that only this server has: cs %s', async (line, names) => {
  const { facility } = await open('words of its own');
  const { code, stdout, told } = await runOn(facility, line);
  expect({ code, told }).toEqual({ code: 0, told: '' });
  const ids = JSON.parse(stdout).map(({ id }: { id: unknown }) => String(id).toLowerCase());
  expect(ids.sort()).toEqual(names.map((name) => facility.fill(`{${name}}`)).sort());
});

// Where a server has more, its list without the filter has them. A typing error would be an empty list otherwise.
test('a filter refuses a value that the specification excludes', async () => {
  const { facility } = await open('words of its own');
  const { code, told } = await runOn(facility, 'event-types list --scope boat');
  expect([code, told]).toEqual([
    2,
    expect.stringContaining('must be one of vehicle, customer, facility'),
  ]);
});

test.each(['total as text', 'no total'] as const)(
  'cs api shows a list as a table: %s',
  async (name) => {
    const { facility } = await open(name);
    const { code, stdout } = await runOn(facility, 'api /cars', { as: 'terminal' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^NAME/);
  },
);

/** Where the values in a table differ. */
const shownOtherwise = [
  ...([
    'lacks optional fields',
    'null in optional fields',
    'four fields of a car',
    'cuids',
    'times with an offset',
  ] as const),
  ...(['ids that count', 'words of its own'] as const),
];

describe.each(shownOtherwise)('a table: %s', (name) => {
  test.each(reads)('cs $line -o table', async (one) => {
    const { facility, own } = await open(name);
    const { code, told } = await runOn(facility, `${own(one.line)} -o table`, {
      as: 'terminal',
      columns: 200,
    });
    const refused = refusedRead(one, name, { code, told });
    if (refused) expect(told).toMatch(refused.says);
    expect(code).toBe(refused?.code ?? 0);
  });
});

function refusedRead(
  one: ReadCase,
  name: VariationName,
  { code, told }: Pick<Ran, 'code' | 'told'>,
): Refused | undefined {
  if (name.startsWith('specified paths alone')) {
    const says = /is beyond the specification/;
    return one.specified
      ? undefined
      : (pageForAll(name, code) ?? { code: exitOfMissing(name, told), says });
  }
  if (cutsLists(name) && code !== 0 && !told.includes('/event-sessions')) return cutLists;
  if (one.refused) return one.refused;
  if (name === 'another record for an id' && code === 9) return { code: 9, says: isAnotherRecord };
  if (name === 'four fields of a car' && one.namesCar)
    return { code: 6, says: /No (car|appointment|parking assignment) found for / };
  if (hasUnknownTimes(name) && one.comparesTimes) return untoldTime;
  return one.except?.[name];
}
