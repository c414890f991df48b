/** What `q` finds, in which order, and that the index answers as reading every record would. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchedTables } from '../../src/service/database/search-index.ts';
import { facility } from '../helpers/facility.ts';
import { testService } from '../helpers/service.ts';
import { issues, type Row, row, testTable } from '../helpers/table.ts';

const service = await testService();
const make = facility(service);

const car = async (given: object) => (await make.car({ model: 'x', make: 'Maker', ...given })).id;
const old = await car({
  licensePlate: 'HH-RS 731',
  make: 'Porsche',
  model: '911 Carrera',
  color: 'HH-RS 73 green',
});
const plate = await car({
  licensePlate: 'HH-RS 73',
  vin: 'WP0-1',
  make: 'Porsche',
  model: '911 Turbo S',
  nickname: 'Old Lady',
});
const archived = await car({
  licensePlate: 'HHR-S 73',
  make: 'Trabant',
  model: '601 de luxe',
  status: 'archived',
});
const words = await car({ licensePlate: 'B 1', nickname: '73 % of_it "*"', model: 'back\\slash' });
const cyrillic = await car({ nickname: 'Волга ГАЗ-21', color: '🚗🚙 blue', model: 'straße ÉCOLE' });
const other = facility(service, service.otherKey);
const foreign = (await other.car({ licensePlate: 'HH-RS 73', make: 'Porsche' })).id;

const find = (name: string, q: string, ids: string[], more = ''): Row =>
  row('GET', `/cars?q=${encodeURIComponent(q)}${more}`)(name, undefined, {
    status: 200,
    ids,
    page: { total: ids.length },
  });

describe('cars', () => {
  testTable(service, [
    find('a plate comes first', 'HH-RS 73', [archived, plate, old]),
    find('a plate without its separators', 'hhrs73', [archived, plate, old]),
    find('a plate with others', 'hh - r s\u00a07\u20103', [archived, plate, old]),
    find('a VIN without its hyphen', 'wp01', [plate]),
    find('part of a plate', 'RS 73', [archived, plate, old]),
    find('part of a plate without its separators', 'hrs7', [archived, plate, old]),
    find('the other separators within a word', 'rs-7', [archived, plate, old]),
    find('part of a word', 'orsch', [plate, old]),
    find('words of several fields', 'porsche turbo', [plate]),
    find('a short word beside a long one, anywhere', '911 s', [plate, old]),
    find('one character, at the beginning of a key', 'h', [archived, plate, old]),
    find('one character that stands elsewhere', 'p', []),
    find('two short words, each at the beginning of a key', 'hh ol', [plate]),
    find('percent', '%', []),
    find('another script, in another case', 'ВОЛГА', [cyrillic]),
    find('emoji', '🚗🚙 blue', [cyrillic]),
    find('accents are part of letters', 'ecole', []),
    find('accents in another case', 'école', [cyrillic]),
    find('sharp s', 'STRASSE', []),
    find('only separators', ' - ', []),
    find('nothing', '', [cyrillic, words, archived, plate, old]),
    find('200 characters', `porsche ${'x'.repeat(192)}`, []),
    find('with a filter', 'HH-RS 73', [plate, old], '&status=expected'),
    find('with ids', 'HH-RS 73', [archived, old], `&ids=${old},${archived},${words}`),
    find('ids of another team', 'HH-RS 73', [], `&ids=${foreign}`),
    { ...find('another team', 'hhrs73', [foreign]), key: service.otherKey },
    ...[
      ['201 characters', 'x'.repeat(201), 'too_big'],
      ['U+0000', 'a\0b', 'invalid_format'],
    ].map(
      ([name, q, rule]): Row =>
        row('GET', `/cars?q=${encodeURIComponent(q as string)}`)(
          name as string,
          undefined,
          issues({ q: rule as string }),
        ),
    ),
  ]);
});

test('an entry follows its record', async () => {
  const ids = async (q: string) =>
    (await service.call('GET', `/customers?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  const { id } = await make.customer({ firstName: 'Ada', lastName: 'Lovelace' });
  expect([await ids('ada lovelace'), await ids('lovel'), await ids('lo')]).toEqual([
    [id],
    [id],
    [id],
  ]);
  await make.change(`/customers/${id}`, {
    notes: 'Lovelace',
    lastName: 'Byron',
    email: 'Ada.Byron@Example.com',
  });
  expect([await ids('lovelace'), await ids('lo')]).toEqual([[], []]);
  expect([await ids('by'), await ids('ADA.BYRON@example.com'), await ids('adabyron')]).toEqual([
    [id],
    [id],
    [id],
  ]);
  await make.change(`/customers/${id}`, {
    firstName: null,
    lastName: null,
    companyName: 'Analytical Engines',
  });
  expect([
    await ids('ada'),
    await ids('analytical engines'),
    await ids('AnalyticalEngines'),
  ]).toEqual([[id], [id], [id]]);
  const event = await make.socialEvent({ title: 'Summer evening' });
  await service.call('DELETE', `/marketing/social-events/${event.id}`);
  for (const q of ['summer evening', 'summ', 'su']) {
    const { body } = await service.call(
      'GET',
      `/marketing/social-events?q=${encodeURIComponent(q)}`,
    );
    expect(body).toMatchObject({ data: [], total: 0 });
  }
});

test('of a short word and a hyphen only the whole is looked for', async () => {
  const { id } = await make.customer({ lastName: 'Ng' });
  await make.customer({ lastName: 'Ngata' });
  const { body } = await service.call('GET', `/customers?q=${encodeURIComponent('ng -')}`);
  expect(body).toMatchObject({ data: [{ id }], total: 1 });
});

test('a list has one search at most', () => {
  const names = searchedTables.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** What the words of the documentation say, with every record looked at. */
function isFound(row: Record<string, string | null>, q: string): 'first' | 'then' | undefined {
  const fold = (text: string) => text.toLowerCase();
  const squeeze = (text: string) => fold(text).replace(/[\s\u00ad\u2010-\u2015\u2212-]/g, '');
  const keys = [row.licensePlate, row.vin, row.nickname]
    .map((key) => squeeze(key ?? ''))
    .filter(Boolean);
  const fields = [row.licensePlate, row.vin, row.make, row.model, row.nickname, row.color].map(
    (field) => fold(field ?? ''),
  );
  const words = fold(q).split(/\s+/).filter(Boolean);
  const whole = squeeze(q);
  if (words.length === 0) return 'then';
  if (keys.includes(whole)) return 'first';
  const isPart = (word: string) => [...fields, ...keys].some((text) => text.includes(word));
  if (
    words.some((word) => [...word].length > 2)
      ? words.every(isPart)
      : words.every((word) => squeeze(word) && keys.some((key) => key.startsWith(squeeze(word))))
  )
    return 'then';
  return [...whole].length > 2 && isPart(whole) ? 'then' : undefined;
}

describe('random records and queries', () => {
  const alphabet = [
    ...'aAbB1-_ %"\'*.\\ßÄäéñяЯΩω語😀🚗',
    '\u2010',
    '\u00a0',
    '(',
    ')',
    ':',
    '^',
    '{',
    'ﬁ',
  ];
  const texts = (most: number) =>
    fc
      .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: most })
      .map((letters) => letters.join(''));
  const numRuns = process.env.CS_LONG ? 3_000 : 100;

  test('the index answers as reading everything does', async () => {
    const given = fc.sample(
      fc.record({
        make: texts(6),
        model: texts(6),
        nickname: fc.option(texts(8)),
        licensePlate: fc.option(texts(6)),
        color: fc.option(texts(12)),
      }),
      { numRuns: 120, seed: 8 },
    );
    for (const values of given)
      await service.call('POST', '/cars', { year: 1999, ...values }, service.otherKey);
    const rows = (await service.call('GET', '/cars?limit=200', undefined, service.otherKey)).body
      .data;
    expect(rows.length).toBeGreaterThan(80);
    const pieces = rows.flatMap((row: Record<string, string>) =>
      [row.licensePlate, row.nickname, row.color, row.make].filter(Boolean),
    );
    const piece = fc
      .tuple(fc.constantFrom(...pieces), fc.nat(6), fc.integer({ min: 1, max: 6 }))
      .map(([text, from, length]) => [...(text as string)].slice(from, from + length).join(''));
    const query = fc
      .array(fc.oneof(piece, texts(4)), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 7 }), async (q, limit) => {
        const expected = ['first', 'then'].flatMap((when) =>
          rows.filter((row: Record<string, string>) => isFound(row, q) === when),
        );
        const asked = encodeURIComponent(q);
        const { body } = await service.call(
          'GET',
          `/cars?limit=200&q=${asked}`,
          undefined,
          service.otherKey,
        );
        expect({ total: body.total, data: body.data }).toEqual({
          total: expected.length,
          data: expected,
        });
        const page = await service.call(
          'GET',
          `/cars?limit=${limit}&page=2&q=${asked}`,
          undefined,
          service.otherKey,
        );
        expect(page.body).toMatchObject({
          total: expected.length,
          data: expected.slice(limit, 2 * limit),
        });
      }),
      { numRuns },
    );
  });
});
