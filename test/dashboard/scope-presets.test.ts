/** Scopes in words. */
import { expect, test } from 'vitest';
import { scopes } from '../../src/contract/scopes.ts';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const { scopesText, writeOnly, presets, resourceTitle } = await import(`${pages}/scope-presets.ts`);

const reads = scopes.filter((scope) => scope.startsWith('read:'));

test.each([
  ['do nothing', []],
  [`read and write everything (all ${scopes.length} scopes)`, scopes],
  ['read everything', reads],
  ['read cars', ['read:cars']],
  ['write cars', ['write:cars']],
  [
    'read and write cars; read customers, locations and social events; write forms',
    [
      ...['write:forms', 'read:cars', 'write:cars', 'read:social-events'],
      ...['read:locations', 'read:customers'],
    ],
  ],
])('%s', (text, chosen) => {
  expect(scopesText(new Set(chosen))).toBe(text);
});

test('one that is written and not read is named, and what a preset names exists', () => {
  expect(writeOnly(new Set(['write:cars', 'write:forms', 'read:forms', 'read:parking']))).toEqual([
    'cars',
  ]);
  for (const { scopes: named } of presets)
    expect(named.filter((scope: (typeof scopes)[number]) => !scopes.includes(scope))).toEqual([]);
  expect([resourceTitle('cars'), resourceTitle('social-events')]).toEqual([
    'Cars',
    'Social events',
  ]);
});
