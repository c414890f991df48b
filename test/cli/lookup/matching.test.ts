import { expect, test } from 'vitest';
import { normalizeName, searchesFor } from '../../../src/cli/lookup/matching.ts';

test.each(['HH-RS 73', 'hhrs73', 'hh.rs.73', ' HH·RS_73 ', 'HH/RS 73'])('%j is the same plate', (plate) => {
  expect(normalizeName(plate)).toBe('hhrs73');
});

test('searches a plate as typed, then without separators, then by its digits', () => {
  expect(searchesFor('HH-RS 73')).toEqual(['HH-RS 73', 'hhrs73', '73']);
  expect(searchesFor('wnab123x4')).toEqual(['wnab123x4', '123 4']);
  expect(searchesFor('911')).toEqual(['911']);
  expect(searchesFor('Emma')).toEqual(['Emma']);
});
