/** Every command that reads, on every server of another team: it shows the right records, or says why it can't. It writes nothing. */
import { afterAll, describe, expect, test } from 'vitest';
import { type ReadCase, reads } from './reads.ts';
import { otherFacilities, runOn } from './run.ts';
import { type VariationName, variationNames } from './servers.ts';
import type { Refused } from './writes.ts';

const { open, closeAll } = otherFacilities();
afterAll(closeAll);

describe.each(variationNames)('%s', (name) => {
  test.each(reads)('cs $line', async (one) => {
    const { facility, own } = await open(name);
    const { code, stdout, told } = await runOn(facility, own(one.line));
    const refused = refusalOf(one, name);
    if (refused) {
      expect(told).toMatch(refused.says);
      expect(code).toBe(refused.code);
    } else {
      expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' });
      const ids = [JSON.parse(stdout)].flat().map(({ id }) => String(id));
      expect(ids.sort()).toEqual(one.shows.map((record) => facility.fill(`{${record}}`)).sort());
    }
    expect(facility.writes()).toEqual([]);
  });
  test.each(reads)('cs $line -o table', async (one) => {
    const { facility, own } = await open(name);
    const { code, told } = await runOn(facility, `${own(one.line)} -o table`, { as: 'terminal', columns: 200 });
    const refused = refusalOf(one, name);
    if (refused) expect(told).toMatch(refused.says);
    expect(code).toBe(refused?.code ?? 0);
  });
});

function refusalOf(one: ReadCase, name: VariationName): Refused | undefined {
  if (name.startsWith('specified paths alone')) {
    const code = name === 'specified paths alone' ? 6 : 9;
    return one.specified ? undefined : { code, says: /is beyond the specification/ };
  }
  if (name === 'four fields of a car' && one.namesCar) return { code: 6, says: /No (car|appointment|parking assignment) found for / };
  return one.except?.[name];
}
