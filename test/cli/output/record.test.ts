/** One record as a person gets it: the whole text. */
import { expect, test } from 'vitest';
import { renderRecord } from '../../../src/cli/output/record.ts';
import type { Row } from '../../../src/cli/output/view.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';

const labels: Readonly<Record<string, string>> = { c1: 'Ann Lee', z1: 'z1' };
const context = {
  label: (resource: string, id: unknown) =>
    resource === 'customers' ? (labels[String(id)] ?? '') : 'other',
  time: (iso: unknown) => String(iso).slice(0, 10),
  relativeTime: (iso: unknown) => (String(iso).startsWith('2026') ? 'an hour ago' : ''),
};
const references = { customerId: 'customers', zoneId: 'customers' };
const styles = { ...noStyles, dim: (text: string) => `<${text}>` };
const shown = async (row: Row, width?: number) =>
  (await renderRecord({ row, context, styles, references, width })).split('\n').slice(0, -1);

test('fields with a value, labels with ids, times, and what lies below a field', async () => {
  expect(
    await shown({
      vin: 'W1',
      customerId: 'c1',
      zoneId: 'z1',
      trim: null,
      notes: '',
      later: undefined,
      year: 0,
      active: false,
      tags: ['a', { b: 'c\u009b' }, true],
      none: [],
      address: { city: 'Bern', zip: null, street: '', geo: { lat: 1 }, open: true },
      free: 'one\ntwo',
      startedAt: '2026-03-01T10:00:00Z',
      endedAt: '2025-03-01T10:00:00.5+01:00',
      about: '2026-03-01T10:00:00Z and more',
      'a\u0007b': 'x\u0007',
    }),
  ).toEqual([
    '<VIN>              W1',
    '<Customer>         Ann Lee (c1)',
    '<Zone>             z1',
    '<Year>             0',
    '<Active>           no',
    '<Tags>             a, {"b":"c\ufffd"}, yes',
    '<None>             ',
    '<Address city>     Bern',
    '<Address geo lat>  1',
    '<Address open>     yes',
    '<Free>             | one',
    '                 | two',
    '<Started at>       2026-03-01 (2026-03-01T10:00:00Z)',
    '<Ended at>         2025-03-01 (2025-03-01T10:00:00.5+01:00)',
    '<About>            2026-03-01T10:00:00Z and more',
    '<A␇b>              x␇',
  ]);
  expect(await shown({})).toEqual([]);
});

test('a terminal is told how far a near time is away where it fits the line', async () => {
  const row = { at: '2026-03-01T10:00:00Z', to: '2025-03-01T10:00:00Z' };
  // 4 cells for the name, 10 for the day, 13 for the distance, 23 for the exact time.
  expect(await shown(row, 50)).toEqual([
    '<At>  2026-03-01<, an hour ago> (2026-03-01T10:00:00Z)',
    '<To>  2025-03-01 (2025-03-01T10:00:00Z)',
  ]);
  expect(await shown(row, 49)).toEqual([
    '<At>  2026-03-01 (2026-03-01T10:00:00Z)',
    '<To>  2025-03-01 (2025-03-01T10:00:00Z)',
  ]);
});

test('values wrap beside their names, as wide characters count', async () => {
  expect(await shown({ 車: 'one two three four', b: 'x' }, 16)).toEqual([
    '<車>  one two three',
    '    four',
    '<B>   x',
  ]);
});
