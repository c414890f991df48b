/** Answers to a create that don't prove that it was stored: the command says that it may be, and what to check. */
import { afterEach, expect, test } from 'vitest';
import { furnish, noon, type OtherFacility } from '../../helpers/other-facility.ts';
import { startOtherServer } from '../../helpers/other-server.ts';
import { runOn } from './run.ts';

let facility: OtherFacility;
afterEach(() => facility.server.close());
const answering = async (createAnswer: unknown) => {
  facility = furnish(await startOtherServer({ createAnswer }, () => noon));
};

const noRecord = [
  { data: {} },
  { data: { id: null } },
  { data: { id: '' } },
  { error: 'disk full' },
  { success: false, data: { id: 'x' } },
];
const lines = [
  ['customers create --last-name Ray', '`cs customers list` shows them'],
  ['cars create --make VW --model Golf --year 2020', '`cs cars list` shows them'],
  [
    'appointments create --type drop_off --at 2026-06-01T09:00:00Z --for 45m --car {Greta}',
    '`cs appointments list` shows them',
  ],
  [
    'cars photos add {Greta} --source-url https://example.com/a.jpg',
    '`cs cars photos list {Greta}` shows them',
  ],
] as const;

test.each(lines.flatMap(([line, hint]) => noRecord.map((answer) => [line, answer, hint] as const)))(
  'cs %s, answered with %j',
  async (line, answer, hint) => {
    await answering(answer);
    const { code, stdout, told } = await runOn(facility, line);
    expect([code, stdout]).toEqual([9, '']);
    expect(told).toContain('it may have been carried out: check before you run it again; ');
    expect(told).toContain(facility.fill(hint));
    expect(facility.writes()).toHaveLength(1);
  },
);
