/**
 * Answers that break the specification end in one clear error (test/client/check-answer.test.ts), or work where docs/other-servers.md says so.
 * Nothing is written to another record than the one that was named.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OtherFacility, openOther } from '../../helpers/other-facility.ts';
import type { Row } from '../../helpers/other-records.ts';
import { type Answer, json, type OtherRequest } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
beforeAll(async () => {
  facility = await openOther();
});
afterEach(() => facility.reset());
afterAll(() => facility.close());

/** Changes the good answers to some requests. */
function spoil(
  which: (request: OtherRequest) => boolean,
  how: (answer: Answer, request: OtherRequest) => Answer | 'silence',
): void {
  facility.server.spoil = (request, answer) =>
    answer.status < 300 && which(request) ? how(answer, request) : answer;
}
const bodyOf = ({ body }: Answer) => JSON.parse(String(body));
/** Changes each record of an answer, in a list too. */
const eachRecord = (change: (row: Row) => Row) => (answer: Answer) => {
  const body = bodyOf(answer);
  const data = Array.isArray(body.data) ? body.data.map(change) : change(body.data);
  return json(answer.status, { ...body, data });
};
const isCars = ({ path }: OtherRequest) => /^\/cars(\/[^/]+)?$/.test(path);
const isWrite = ({ method }: OtherRequest) => method !== 'GET';

describe('a record of another id', () => {
  const ofAnother = eachRecord((row) => ({
    ...row,
    id: facility.fill('{Otto}'),
    deleted: row.deleted,
  }));

  test.each(['cars get {Ferdi}', 'cars update {Ferdi} --color red'])(
    'in place of a car: cs %s',
    async (line) => {
      spoil((request) => !isWrite(request) && isCars(request), ofAnother);
      const { code, stdout, told } = await runOn(facility, line);
      // The record that was named is changed, whether or not it is read before.
      expect(facility.changed().filter((one) => one !== 'Ferdi')).toEqual([]);
      if (line.includes('update')) return;
      expect([code, stdout, told]).toEqual([9, '', expect.stringContaining('unexpected_answer')]);
    },
  );

  test.each([
    ['cars update {Ferdi} --color red', ['Ferdi']],
    ['contacts delete {Cy} --yes', ['Cy']],
  ])('in answer to a write: cs %s', async (line, changed) => {
    spoil(isWrite, ofAnother);
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout, told]).toEqual([9, '', expect.stringContaining('unexpected_answer')]);
    expect(facility.writes()).toHaveLength(1);
    expect(facility.changed()).toEqual(changed);
  });
});

describe('values in another form are printed as they came, and compared with nothing', () => {
  const isAppointments = ({ path }: OtherRequest) => path.startsWith('/appointments');
  const withoutZone = eachRecord((row) => ({ ...row, startAt: String(row.startAt).slice(0, 19) }));

  test('times without a zone', async () => {
    spoil(isAppointments, withoutZone);
    const { code, stdout } = await runOn(facility, 'appointments list');
    expect([code, JSON.parse(stdout)[0].startAt]).toEqual([
      0,
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    ]);
    for (const line of ['appointments list --date today', 'today']) {
      const compared = await runOn(facility, line);
      expect([compared.code, compared.told]).toEqual([9, expect.stringContaining('startAt')]);
    }
  });
});

test.each(['contacts list --all', "contacts delete 'No 7 Fox' --yes"])(
  'a page twice: cs %s',
  async (line) => {
    for (let index = 0; index < 400; index++)
      facility.server.records.add('/contacts', { firstName: `No ${index}`, lastName: 'Fox' });
    let first: Answer | undefined;
    spoil(
      ({ path }) => path === '/contacts',
      (answer, { query }) => {
        if (query.get('page') !== '2') first ??= answer;
        else if (first) return json(200, { ...bodyOf(first), page: 2 });
        return answer;
      },
    );
    const { code, told } = await runOn(facility, line);
    expect([code, told]).toEqual([9, expect.stringContaining('unsteady_list')]);
    expect(facility.writes()).toEqual([]);
  },
);
