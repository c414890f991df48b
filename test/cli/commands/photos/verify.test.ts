import { expect, test } from 'vitest';
import { verifyContent, verifyStored } from '../../../../src/cli/commands/photos/verify.ts';

const sha256 = 'ab'.repeat(32);
const content = { filename: 'a.jpg', sizeBytes: 7, sha256 };
// biome-ignore lint/suspicious/noExplicitAny: other servers leave fields out
const photo = (fields: object): any => ({ id: 'p1', ...fields });

const cases = [
  {
    name: 'the same hash',
    fields: { sha256, filename: 'b.jpg', sizeBytes: 9 },
    expected: 'same_bytes',
  },
  {
    name: 'the same hash in capitals',
    fields: { sha256: sha256.toUpperCase() },
    expected: 'same_bytes',
  },
  {
    name: 'another hash',
    fields: { sha256: 'cd'.repeat(32), filename: 'a.jpg', sizeBytes: 7 },
    expected: 'missing',
  },
  {
    name: 'no hash, the same name and size',
    fields: { filename: 'a.jpg', sizeBytes: 7 },
    expected: 'same_name_and_size',
  },
  {
    name: 'null for a hash',
    fields: { sha256: null, filename: 'a.jpg', sizeBytes: 7 },
    expected: 'same_name_and_size',
  },
  {
    name: 'a hash of another kind',
    fields: { sha256: 'q1Z4', filename: 'a.jpg', sizeBytes: 7 },
    expected: 'same_name_and_size',
  },
  { name: 'another size', fields: { filename: 'a.jpg', sizeBytes: 8 }, expected: 'missing' },
  { name: 'another name', fields: { filename: 'b.jpg', sizeBytes: 7 }, expected: 'missing' },
  { name: 'the name alone', fields: { filename: 'a.jpg' }, expected: 'unknown' },
  { name: 'the size alone', fields: { sizeBytes: 7 }, expected: 'unknown' },
  { name: 'nothing', fields: {}, expected: 'unknown' },
] as const;

test.each(cases)('a photo with $name: $expected', ({ fields, expected }) => {
  expect(verifyStored([photo({ id: 'p0' }), photo(fields)], { id: 'p1', content })).toBe(expected);
  expect(verifyContent([photo(fields)], { content, reencoded: false }).verification).toBe(expected);
});

test('a photo that the server lists no more is missing', () => {
  expect(verifyStored([photo({ id: 'p2', sha256 })], { id: 'p1', content })).toBe('missing');
});

test('without what was sent, a listed photo is unknown', () => {
  expect(verifyStored([photo({ sha256 })], { id: 'p1', content: undefined })).toBe('unknown');
});

test('the hash wins over a photo of the same name and size', () => {
  const photos = [
    photo({ id: 'p1', filename: 'a.jpg', sizeBytes: 7 }),
    photo({ id: 'p2', sha256 }),
  ];
  expect(verifyContent(photos, { content, reencoded: false })).toEqual({
    verification: 'same_bytes',
    photoId: 'p2',
  });
});

test('a photo that was shrunk may have other bytes under its name: unknown', () => {
  const photos = [photo({ filename: 'a.jpg', sha256: 'cd'.repeat(32) })];
  expect(verifyContent(photos, { content, reencoded: true })).toEqual({
    verification: 'unknown',
    photoId: null,
  });
  expect(verifyContent([], { content, reencoded: true })).toEqual({
    verification: 'missing',
    photoId: null,
  });
});
