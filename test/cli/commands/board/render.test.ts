/** The picture of the board, from records as our service and others answer them. */
import { expect, test } from 'vitest';
import { boardLines } from '../../../../src/cli/commands/board/render.ts';
import { noStyles } from '../../../../src/cli/terminal/style.ts';
import { markedStyles } from '../../../helpers/marked-styles.ts';
import { steering } from '../../../helpers/steering.ts';

const yard = {
  id: 'z',
  name: 'Yard',
  isActive: true,
  capacity: null as number | null | undefined,
  occupied: 0 as number | null,
  spots: [] as object[],
  carsWithoutSpot: [] as object[],
  location: { id: 'l' as string | null, name: 'Mill' as string | null },
};
const draw = (zones: object[], { width = 80, styles = noStyles } = {}) =>
  boardLines(zones as never, { styles, width });
const drawn = (zone: object, width = 80) => draw([{ ...yard, ...zone }], { width });
const long = { id: 'x', licensePlate: 'HH-VERYLONG 123', year: 1973, make: 'Porsche' };
const spotsOf = (...states: string[]) => states.map((state, n) => ({ id: `${n}`, state }));
const car = (licensePlate: string) => ({ id: licensePlate, licensePlate });

test('every part, with its style', () => {
  const spots = [
    { id: '1', name: 'A1', state: 'taken', kind: 'lift', car: car('HH-RS 73') },
    { id: '2', name: 'A2', state: 'free', kind: 'standard', car: null },
    { id: '3', name: 'A3', state: 'inactive', car: null },
    { id: '4', name: 'A4', state: 'taken', car: null },
    { id: '5', name: 'A5', state: 'unknown', car: null },
  ];
  const carsWithoutSpot = ['K-3', 'K-1', 'K-2'].map(car);
  const zones = [
    { ...yard, name: 'Hall', isActive: false, spots, carsWithoutSpot, capacity: 4, occupied: 3 },
    { ...yard, id: null, name: null, capacity: null, occupied: null, spots: spots.slice(1, 2) },
    { ...yard, location: { id: 'l-2', name: null }, capacity: undefined, occupied: 1_234 },
    { ...yard, location: { id: null, name: null } },
  ];
  expect(draw(zones, { width: 44, styles: markedStyles })).toEqual([
    '<title>Mill</title>',
    '',
    '  <strong>Hall</strong>  <dim>inactive · 1 of 5 spots free, 1 unk…</dim>',
    '  <dim>┌───────────┬───────────┬───────────┐</dim>',
    '  <dim>│</dim> <strong>● A1 lift</strong> <dim>│</dim> <success>○ A2     </success> <dim>│</dim> <dim>✕ A3     </dim> <dim>│</dim>',
    '  <dim>│</dim> <strong>HH-RS 73 </strong> <dim>│</dim> <success>         </success> <dim>│</dim> <dim>inactive </dim> <dim>│</dim>',
    '  <dim>├───────────┼───────────┼───────────┘</dim>',
    '  <dim>│</dim> <strong>● A4     </strong> <dim>│</dim> <warning>? A5     </warning> <dim>│</dim>',
    '  <dim>│</dim> <strong>taken    </strong> <dim>│</dim> <warning>unknown  </warning> <dim>│</dim>',
    '  <dim>└───────────┴───────────┘</dim>',
    '    ● K-1   ● K-2   ● K-3',
    '',
    '  <strong>No zone</strong>  <dim>1 of 1 spot free</dim>',
    '  <dim>┌────────┐</dim>',
    '  <dim>│</dim> <success>○ A2  </success> <dim>│</dim>',
    '  <dim>│</dim> <success>      </success> <dim>│</dim>',
    '  <dim>└────────┘</dim>',
    '',
    '<title>location l-2</title>',
    '',
    '  <strong>Yard</strong>  <dim>1,234 cars without a spot</dim>',
    '',
    '<title>No location</title>',
    '',
    '  <strong>Yard</strong>  <dim>0 cars without a spot, no limit</dim>',
    '',
    '6 spots: 2 free, 2 taken, 1 inactive, 1 unk…',
    '<dim>○ free   ● taken   ✕ inactive   ? unknown</dim>',
  ]);
});

test.each([
  [[], 'No spots'],
  [[{ spots: spotsOf('taken') }], '1 spot: 0 free, 1 taken'],
  [[{ spots: spotsOf('free', 'inactive') }], '2 spots: 1 free, 0 taken, 1 inactive'],
  [[{ spots: spotsOf('unknown', 'taken') }], '2 spots: 1 taken, 1 unknown'],
  [[{ spots: spotsOf('free', 'unknown') }], '2 spots: 1 free, 1 unknown'],
  [[{ occupied: 1 }], 'No spots · 1 car without a spot'],
  [
    [{ spots: spotsOf(...Array(1_200).fill('free')), occupied: 2 }],
    '1,200 spots: 1,200 free, 0 taken · 2 cars without a spot',
  ],
])('the total of %j: %s', (zones, total) => {
  expect(draw(zones.map((zone) => ({ ...yard, ...zone }))).at(-2)).toBe(total);
});

test('a zone tells what is known of it, and nothing without a fact', () => {
  const line = (zone: object, width?: number) => drawn(zone, width)[2];
  expect(line({ occupied: null })).toBe('  Yard');
  expect(line({ occupied: 1 })).toBe('  Yard  1 car without a spot, no limit');
  expect(line({ spots: spotsOf('free') })).toBe('  Yard  1 of 1 spot free');
  // Its facts are cut before the first eight characters of its name.
  const spots = spotsOf('free', 'taken');
  expect(line({ name: 'Harbour yard', spots }, 34)).toBe('  Harbour yard  1 of 2 spots free');
  expect(line({ name: 'Harbour yard', spots }, 32)).toBe('  Harbour ya…  1 of 2 spots free');
  expect(line({ name: 'Harbour yard', spots }, 24)).toBe('  Harbour…  1 of 2 spot…');
});

test('as many spots in a row as fit, and a nickname of up to twelve characters', () => {
  const nicknamed = (nickname: string) => ({ id: 'x', nickname, state: 'taken' });
  const rows = (width: number, ...cars: object[]) => {
    const spots = cars.map((car, n) => ({ id: `${n}`, state: 'taken', car }));
    return drawn({ spots }, width).filter((line) => line.includes('│ '));
  };
  expect(rows(25, car('HH-RS 73'), car('HH-RS 74'))).toEqual([
    '  │ ● 0      │ ● 1      │',
    '  │ HH-RS 73 │ HH-RS 74 │',
  ]);
  expect(rows(24, car('HH-RS 73'), car('HH-RS 74'))).toHaveLength(4);
  expect(rows(16, car('HH-VERYLONG 123'))).toEqual(['  │ ● 0        │', '  │ HH-VERYLO… │']);
  expect(rows(80, nicknamed('Old grey bus'))[1]).toBe('  │ Old grey bus │');
  expect(rows(80, nicknamed('Old green bus'))[1]).toBe('  │ Old green b… │');
});

test('a spot without a name, as another server may have, is shown by its id', () => {
  const spots = [{ id: 'spot-17', state: 'free', car: null }];
  expect(drawn({ spots })).toContain('  │ ○ spot-17 │');
});

test('shows the complete plate of a car, and no line is wider than the terminal', () => {
  expect(drawn({ carsWithoutSpot: [long] })).toContain('    ● HH-VERYLONG 123');
  const taken = { kind: 'standard', state: 'taken', car: long };
  const spots = ['A1', 'A2', 'A3'].map((name) => ({ id: name, name, ...taken }));
  expect(drawn({ spots }, 40).join('\n')).toContain('│ HH-VERYLONG 123 │ HH-VERYLONG 123 │');
  const two = (width: number) =>
    drawn({ carsWithoutSpot: ['HH-RS 73', 'HH-RS 74'].map(car) }, width).slice(3, -3);
  expect(two(27)).toEqual(['    ● HH-RS 73   ● HH-RS 74']);
  expect(two(26)).toEqual(['    ● HH-RS 73', '    ● HH-RS 74']);
  for (const width of [18, 30, 40])
    expect(Math.max(...drawn({ spots }, width).map((line) => line.length))).toBeLessThanOrEqual(
      width,
    );
});

test.each([
  [0, 40, '▯'.repeat(20)],
  [1, 100, `▮${'▯'.repeat(19)}`],
  [20, 40, '▮'.repeat(10) + '▯'.repeat(10)],
  [39, 40, `${'▮'.repeat(19)}▯`],
  [40, 40, '▮'.repeat(20)],
  [5, 4, '▮▮▮▮'],
])('%i cars of %i: the bar is empty or full only where the zone is', (occupied, capacity, bar) => {
  expect(drawn({ occupied, capacity })).toContain(
    `  Yard  without a spot ${bar} ${occupied} of ${capacity}`,
  );
});

test('spots that the server tells too little of are unknown, never free', () => {
  const some = drawn({ spots: spotsOf('free', 'unknown', 'unknown', 'taken') });
  expect(some).toContain('  Yard  1 of 4 spots free, 2 unknown');
  expect(some.slice(-2)).toEqual([
    '4 spots: 1 free, 1 taken, 2 unknown',
    '○ free   ● taken   ✕ inactive   ? unknown',
  ]);
  const all = drawn({ spots: spotsOf('unknown', 'unknown') });
  expect(all).toContain('  Yard  2 of 2 spots unknown');
  expect(all.at(-2)).toBe('2 spots: 2 unknown');
});

test('control characters in a name stay in their cell', () => {
  const name = 'A\u001b[2J\u009b31m1\nerror: forged\u2028x\u202e1';
  const spot = { id: 's', name, kind: 'lift', state: 'free', car: null };
  const lines = drawn({ name, spots: [spot, spot], location: { id: 'l', name } });
  expect(lines.filter((line) => steering.test(line) || line.includes('\n'))).toEqual([]);
  // Both spots are in one row, whose edges are below each other.
  const grid = lines.filter((line) => /^ {2}[┌│└]/.test(line));
  expect(new Set(grid.map((line) => line.length)).size).toBe(1);
});
