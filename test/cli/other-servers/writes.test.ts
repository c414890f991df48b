/**
 * Every command that writes, on every server of another team: the requests are those that were asked for, or the command refuses and
 * changes nothing.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { noon, type OtherFacility } from '../../helpers/other-facility.ts';
import type { Ways } from '../../helpers/other-server.ts';
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
import { type VariationName, variationNames, variations } from './servers.ts';
import { type Case, type Refused, untoldUse, writes } from './writes.ts';

const { open, closeAll } = otherFacilities();
let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'photo.png'), png());
  await writeFile(join(folder, 'cars.ndjson'), '{"year":1981,"make":"Fiat","model":"127"}\n');
});
afterAll(async () => {
  await closeAll();
  await removeFolder(folder);
});

describe.each(variationNames)('%s', (name) => {
  test.each(writes)('cs $line', async (one) => {
    const { facility, own } = await open(name);
    const asked = one.sends.map(own);
    const isUnproven = provesNothing(one, { name, facility });
    const { code, told } = await runOn(facility, own(one.line), { cwd: folder });
    // Neither the content of a file nor the time of the run is of interest here.
    const sent = facility
      .writes()
      .map((request) => request.replace(/(photos|assets) \{.*/, '$1').replace(timeOfRun, ''));
    // The newest first, which odd times don't tell.
    if (one.line.startsWith('templates prune')) for (const list of [sent, asked]) list.sort();
    if (isUnproven) {
      expect({ sent, code }).toEqual({ sent: asked, code: 9 });
      expect(told).toMatch(/isn't as it was sent/);
      expect(told).toContain('unexpected_answer');
      return;
    }
    const refused = refusedWrite(one, name, { code, told });
    if (!refused)
      return expect({ sent, code, told: code === 0 ? '' : told }).toEqual({
        sent: asked,
        code: 0,
        told: '',
      });
    expect(told).toMatch(refused.says);
    expect(code).toBe(refused.code);
    // A server may refuse what was asked for; nothing else is sent, and nothing changes.
    expect(asked).toEqual(expect.arrayContaining(sent));
    expect(facility.changed()).toEqual([]);
  });
});

interface Situation {
  readonly name: VariationName;
  readonly facility: OtherFacility;
}

/** Whether the server ignores what the command changes, or answers null for it: the record shows another value than was sent. */
function provesNothing({ line, sends }: Case, { name, facility }: Situation): boolean {
  const { changes, lacks }: Ways = variations[name].ways;
  if (line.startsWith('api ')) return false;
  return sends.some((request) => {
    const [, path, body] = /^PATCH (\S.*?) (\{".*)$/.exec(request) ?? [];
    if (path === undefined || body === undefined) return false;
    const [, collection, id] = /^(.*)\/([^/]+)$/.exec(facility.fill(path)) as unknown as [
      string,
      string,
      string,
    ];
    const record = facility.server.records.get(collection, id);
    return Object.entries(JSON.parse(body)).some(([field, value]) => {
      // A status that is null is one that the server doesn't tell. It shows every field of an appointment, as the specification says.
      if (
        lacks &&
        collection !== '/appointments' &&
        [lacks]
          .flat()
          .some(({ as, fields }) => as === 'null' && field !== 'status' && fields.includes(field))
      )
        return true;
      return changes === 'ignored' && record?.[field] !== undefined && record[field] !== value;
    });
  });
}

const timeOfRun = new RegExp(`,"(occurredAt|startedAt)":"${noon.toISOString()}"`);

/** A car by anything but its id. */
const namesCar = ({ line }: Case) =>
  /\b(Ferdi|Greta|Emma)\b|HH-/.test(line.replace(/\{.+?\}/g, ''));

function refusedWrite(
  one: Case,
  name: VariationName,
  { code, told }: Pick<Ran, 'code' | 'told'>,
): Refused | undefined {
  if (name.startsWith('specified paths alone')) {
    return one.specified
      ? undefined
      : (pageForAll(name, code) ?? {
          code: exitOfMissing(name, told),
          says: /is beyond the specification, so this server may not have it|not updated|1 row failed/,
        });
  }
  if (name === 'another record for an id' && code === 9) return { code: 9, says: isAnotherRecord };
  if (name === 'four fields of a car' && namesCar(one))
    return { code: 6, says: /^No (car|appointment|parking assignment) found for /m };
  if (name === 'has no deletes' && /^DELETE/.test(one.sends[0] ?? ''))
    return { code: one.line.startsWith('templates prune') ? 9 : 6, says: /Not Found/ };
  if (cutsLists(name) && code === 9) return cutLists;
  if (hasUnknownTimes(name) && one.line.includes('--appointment today')) return untoldTime;
  if (hasUnknownTimes(name) && one.line.includes('--unused-for')) return untoldUse;
  return one.refused ?? one.except?.[name];
}
