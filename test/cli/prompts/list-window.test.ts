/** The part of a long list that a prompt shows. */
import { describe, expect, test } from 'vitest';
import { linesInWindow } from '../../../src/cli/prompts/list-window.ts';
import { type Item, isOption, moreAround, moreHeading } from '../../../src/cli/prompts/options.ts';

const height = 10;

const heading = (heading: string, depth: number): Item => ({ heading, depth });
const option = (name: string, depth: number): Item => ({ name, value: name, depth });

/** Two locations with zones of several sizes, a zone without spots, a full one, and spots without a zone. */
const items: readonly Item[] = [
  heading('Harbour', 0),
  heading('Lift bay', 1),
  ...['L2', 'L4', 'anywhere in Lift bay'].map((name) => option(name, 2)),
  heading('Hall A', 1),
  ...Array.from({ length: 12 }, (_, spot) => option(`A${spot + 1}`, 2)),
  option('Yard', 1),
  heading('Cellar, full', 1),
  heading('Old Mill', 0),
  heading('Barn', 1),
  ...['B3', 'B4', 'anywhere in Barn'].map((name) => option(name, 2)),
  option('M1', 1),
  option('M2', 1),
];
const textOf = (item: Item) => (isOption(item) ? item.name : `# ${item.heading}`);

function headingsOf(name: string): readonly string[] {
  if (/^[MY]/.test(name)) return [name.startsWith('M') ? 'Old Mill' : 'Harbour'];
  if (/^B|Barn$/.test(name)) return ['Old Mill', 'Barn'];
  return ['Harbour', /^L|bay$/.test(name) ? 'Lift bay' : 'Hall A'];
}

function show(active: number, given = items, columns = 80): string[] {
  return linesInWindow({ items: given, active, height, columns, render: textOf });
}

describe('with the cursor on each option', () => {
  const cases = items.flatMap((item, active) =>
    isOption(item) ? [{ name: item.name, active }] : [],
  );

  test.each(cases)(
    '$name: the window has one height, whole headings, and true counts',
    ({ name, active }) => {
      const shown = show(active);
      expect(shown).toHaveLength(height);
      expect(shown).toContain(name);
      const [note = '', ...rows] = shown.toReversed().filter((line) => line !== '');
      // No heading stands alone at the end, but for a full zone.
      expect(rows[0]).toMatch(/^[^#]|full$/);
      const options = rows.toReversed().filter((line) => !line.startsWith('# '));
      const all = items.filter(isOption).map((one) => one.name);
      const before = all.indexOf(options[0] as string);
      const after = all.length - before - options.length;
      expect(options).toEqual(all.slice(before, before + options.length));
      const counts = [before > 0 && `${before} more above`, after > 0 && `${after} more below`]
        .filter(Boolean)
        .join(', ');
      expect(note).toBe(`#  … and ${counts}`);
      const headings = shown
        .slice(0, shown.indexOf(options[0] as string))
        .map((line) => line.slice(2));
      expect(headings.slice(-1 * headingsOf(options[0] as string).length)).toEqual(
        headingsOf(options[0] as string),
      );
      expect(['Harbour', 'Old Mill']).toContain(headings[0]);
    },
  );
});

test('a list that is cut says by how many, and one that is whole nothing', () => {
  expect([0, 1_200].map((left) => moreHeading(left).map(textOf))).toEqual([
    [],
    [expect.stringContaining('and 1,200 more')],
  ]);
  expect([moreAround(1, 1), moreAround(0, 0)].map(textOf)).toEqual([
    '#  … and 1 more above, 1 more below',
    '# ',
  ]);
});

test('a list that fits is shown whole', () => {
  expect(show(2, items.slice(0, 5))).toEqual(items.slice(0, 5).map(textOf));
});

test('what stands above the first option is on the screen with it', () => {
  const notes = Array.from({ length: 5 }, (_, at) => heading(`Q${at} is taken`, 0));
  expect(show(7, [...notes, ...items]).slice(0, 8)).toEqual(
    [...notes, ...items].slice(0, 8).map(textOf),
  );
});

test('lines that are wrapped count their rows', () => {
  const long = Array.from({ length: 12 }, (_, at) => option(`${at} `.padEnd(50, 'x'), 0));
  const shown = show(6, long, 40);
  expect(shown.filter((line) => line.length === 50)).toHaveLength(4);
  expect(shown.some((line) => line.startsWith('6 '))).toBe(true);
  expect(shown.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / 40)), 0)).toBe(
    height,
  );
});
