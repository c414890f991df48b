/**
 * Answers that break the specification: each ends in one clear error, or works where the contract says so (docs/other-servers.md).
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

/** Answers that aren't of the interface at all. */
const foreign: readonly (readonly [string, (answer: Answer) => Answer])[] = [
  ['HTML', () => ({ status: 200, type: 'text/html', body: '<!doctype html><h1>Sign in</h1>' })],
  ['a list in place of a record', (answer) => listed(answer)],
  [
    'a record of another id',
    eachRecord((row) => ({ ...row, id: facility.fill('{Otto}'), deleted: row.deleted })),
  ],
];
const listed = (answer: Answer) => json(answer.status, { data: [bodyOf(answer).data] });
const isForRecord = (name: string) => name.startsWith('a ') && name.includes('record');

describe.each(foreign)('%s', (name, how) => {
  const reads = [
    'cars get {Ferdi}',
    'cars update {Ferdi} --color red',
    ...(isForRecord(name) ? [] : ['cars list', 'cars get Ferdi', 'pickup Ferdi --yes']),
  ];
  test.each(reads)('in place of cars: cs %s', async (line) => {
    spoil((request) => !isWrite(request) && isCars(request), how);
    const { code, stdout, told } = await runOn(facility, line);
    if (line.includes('update {Ferdi}')) {
      // The record that was named is changed, whether or not it is read before.
      expect(facility.changed().filter((one) => one !== 'Ferdi')).toEqual([]);
      return;
    }
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toMatch(/unexpected_answer|operation_missing/);
    expect(facility.writes()).toEqual([]);
  });

  test.each([
    ['cars update {Ferdi} --color red', ['Ferdi']],
    ["appointments cancel {Ferdi's pick-up} --yes", ["Ferdi's pick-up"]],
    ['contacts delete {Cy} --yes', ['Cy']],
  ])('in answer to a write: cs %s', async (line, changed) => {
    spoil(isWrite, how);
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain('unexpected_answer');
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

  test('booleans as text', async () => {
    spoil(
      ({ path }) => path === '/locations',
      eachRecord((row) => ({ ...row, isActive: 'false' })),
    );
    const { stdout } = await runOn(facility, 'locations list');
    expect(JSON.parse(stdout)[0].isActive).toBe('false');
    const { code, told } = await runOn(facility, 'locations list --is-active');
    expect([code, told]).toEqual([9, expect.stringContaining('isActive')]);
  });
});

describe('pages that contradict each other', () => {
  const isContacts = ({ path }: OtherRequest) => path === '/contacts';
  const withBody = (change: (body: Row, page: string | null) => Row) =>
    spoil(isContacts, (answer, { query }) => json(200, change(bodyOf(answer), query.get('page'))));
  const fill = () => {
    for (let index = 0; index < 400; index++)
      facility.server.records.add('/contacts', { firstName: `No ${index}`, lastName: 'Fox' });
  };

  test.each(['contacts list --all', "contacts delete 'No 7 Fox' --yes"])(
    'a page twice: cs %s',
    async (line) => {
      fill();
      let first: Row | undefined;
      withBody((body, page) => {
        if (page !== '2') first ??= body;
        return page === '2' && first ? { ...first, page: 2 } : body;
      });
      const { code, told } = await runOn(facility, line);
      expect([code, told]).toEqual([9, expect.stringContaining('unsteady_list')]);
      expect(facility.writes()).toEqual([]);
    },
  );

  test.each([['no total', ({ total: _, ...body }: Row) => body]])('%s', async (_, change) => {
    fill();
    withBody(change);
    for (const line of ['contacts list --all', "contacts delete 'No 7 Fox' --yes"]) {
      const { code, told } = await runOn(facility, line);
      expect([code, told]).toEqual([9, expect.stringMatching(/unexpected_answer|unsteady_list/)]);
    }
    expect(facility.writes()).toEqual([]);
  });

  test('fewer records than the total says', async () => {
    fill();
    withBody((body) => ({ ...body, total: 900 }));
    const { code, told } = await runOn(facility, 'contacts list --all');
    expect([code, told]).toEqual([9, expect.stringContaining('unsteady_list')]);
  });
});

describe('an answer after the time-out', () => {
  /** An attempt ends once the server has the write. */
  const waiting = {
    sleep: async () => {},
    startLimit: (_: number, expire: () => void) => {
      const timer = setInterval(() => facility.writes().length > 0 && expire(), 10);
      return () => clearInterval(timer);
    },
  };

  test.each(['customers create --first-name Zoe', 'cars update {Ferdi} --color red'])(
    'a write may be stored: cs %s',
    async (line) => {
      spoil(isWrite, () => 'silence');
      const { code, told } = await runOn(facility, line, { waiting });
      expect([code, told]).toEqual([9, expect.stringMatching(/may have been/)]);
      expect(facility.writes()).toHaveLength(1);
    },
  );
});
