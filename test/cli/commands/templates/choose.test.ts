import { describe, expect, test } from 'vitest';
import { matchesName, selectTemplates } from '../../../../src/cli/commands/templates/choose.ts';
import type { RecordFor } from '../../../../src/contract/contract.ts';

const day = 86_400_000;
const now = new Date('2026-06-01T00:00:00.000Z');
const ago = (days: number) => new Date(now.getTime() - days * day).toISOString();
const template = (name: string, updated: number, used: number | null) =>
  ({
    id: name,
    name,
    channel: 'email',
    updatedAt: ago(updated),
    lastUsedAt: used === null ? null : ago(used),
  }) as RecordFor<'templates'>;
const all = [
  template('fresh', 1, null),
  template('sent lately', 200, 5),
  template('edited lately', 3, 300),
  template('old', 120, 100),
  template('never used', 400, null),
];
type Criteria = Parameters<typeof selectTemplates>[1];
const select = (criteria: Criteria, templates = all) => selectTemplates(templates, criteria, now);
const going = (criteria: Criteria) =>
  select(criteria).selected.map(({ template: { name } }) => name);

describe('selected templates', () => {
  test.each([
    ['unused for long enough, the oldest first', { unusedFor: 90 * day }, ['never used', 'old']],
    ['to the millisecond', { unusedFor: 100 * day }, ['never used', 'old']],
    ['not a millisecond before', { unusedFor: 100 * day + 1 }, ['never used']],
    ['all but the last that were used or changed', { keep: 3 }, ['never used', 'old']],
    ['both: what is kept is kept whatever its age', { keep: 4, unusedFor: 1 }, ['never used']],
    ['by name', { name: '* lately' }, ['sent lately', 'edited lately']],
    ['kept among those of the name', { name: '* lately', keep: 1 }, ['sent lately']],
  ])('%s', (_, criteria, names) => {
    expect(going(criteria)).toEqual(names);
  });
  describe('where the server does not show the last use', () => {
    const { lastUsedAt: _, ...old } = template('old', 400, null);
    const { updatedAt: __, ...untold } = old;
    const names = (some: readonly { name: string }[]) => some.map(({ name }) => name);

    test.each<[string, Criteria]>([
      ['--unused-for', { unusedFor: 90 * day }],
      ['--keep', { keep: 1 }],
    ])('%s goes by the last change', (_, criteria) => {
      const fresh = { ...old, id: 'fresh', name: 'fresh', updatedAt: ago(1) };
      const { selected, undecided } = select(criteria, [old, fresh] as typeof all);
      expect(selected).toMatchObject([
        { template: { name: 'old' }, reason: expect.stringMatching(/^changed 2025-/) },
      ]);
      expect(undecided).toEqual([]);
    });

    test.each(['05.11.2025 10:00', '2025-01-01', '2025-01-01T10:00:00', '', 1735725600])(
      'a time in another form is none: %j',
      (lastUsedAt) => {
        const odd = { ...old, lastUsedAt } as (typeof all)[0];
        expect(
          names(select({ unusedFor: 90 * day }, [odd]).selected.map((one) => one.template)),
        ).toEqual(['old']);
      },
    );

    test('one without either is undecided', () => {
      const { undecided } = select({ unusedFor: 90 * day }, [untold as (typeof all)[0]]);
      expect(names(undecided)).toEqual(['old']);
    });

    test('a name alone chooses it', () => {
      const { selected } = select({ name: 'old' }, [untold as (typeof all)[0]]);
      expect(selected).toMatchObject([{ reason: 'last use unknown' }]);
    });
  });
  test('each with its reason', () => {
    const reasons = Object.fromEntries(
      select({}).selected.map(({ template: { name }, reason }) => [name, reason]),
    );
    expect(reasons).toMatchObject({
      fresh: expect.stringMatching(/^never used, changed 2026-05-\d\d$/),
      'sent lately': expect.stringMatching(/^last used 2026-05-2\d$/),
      'edited lately': expect.stringMatching(/^last used 2025-\d\d-\d\d, changed 2026-05-\d\d$/),
    });
  });
});

test.each([
  ['ci/build 7', 'ci/*', true],
  ['ci/a/b', 'ci/*', true],
  ['CI/Build', 'ci/b*', true],
  ['mail/old', 'mail?old', true],
  ['.hidden', '*', true],
  ['a\\b', 'a\\b', true],
  ['a*b', 'a[*]b', true],
  ['axb', 'a[*]b', false],
  ['b', '{a,b}', true],
  ['a', '!a', false],
  ['Grüße', 'grü*', true],
])('the name %j and the pattern %j: %s', (name, pattern, matches) => {
  expect(matchesName(name, pattern)).toBe(matches);
});
