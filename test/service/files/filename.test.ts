import { describe, expect, test } from 'vitest';
import { photoTypes } from '../../../src/contract/cars.ts';
import { safeFilename } from '../../../src/service/files/filename.ts';

describe('safeFilename', () => {
  test.each([
    ['front.jpg', 'front.jpg'],
    ['  Vorne rechts (1).JPG ', 'Vorne rechts (1).JPG'],
    ['前面.jpg', '前面.jpg'],
    ['👩‍🔧.jpg', '👩‍🔧.jpg'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\Photos\\a.jpg', 'C:_Photos_a.jpg'],
    ['a\u0000b\r\nX-Evil: 1.jpg', 'a_b__X-Evil: 1.jpg'],
    ['\u001b[31mred.jpg', '_[31mred.jpg'],
    ['photo\u202egpj.exe', 'photo_gpj.exe'],
    ['a\u2028b\u2066c\u200fd.jpg', 'a_b_c_d.jpg'],
    ['half \ud800.jpg', 'half _.jpg'],
    ['.hidden', '.hidden'],
  ])('%j becomes %j', (given, kept) =>
    expect(safeFilename(given, 'image/jpeg', 'photo')).toBe(kept),
  );

  test.each([null, undefined, '', '  ', '.', '..', '...'])('%j gets a name by its type', (given) =>
    expect(safeFilename(given, 'image/jpeg', 'photo')).toBe('photo.jpg'),
  );

  test('every type has a name', () => {
    expect(photoTypes.map((type) => safeFilename(null, type, 'photo'))).toEqual([
      'photo.jpg',
      'photo.png',
      'photo.webp',
      'photo.heic',
      'photo.heif',
      'photo.avif',
      'photo.gif',
    ]);
  });

  test('long names keep their extension and whole characters', () => {
    expect(safeFilename(`${'a'.repeat(300)}.jpeg`, 'image/jpeg', 'photo')).toBe(
      `${'a'.repeat(250)}.jpeg`,
    );
    expect(safeFilename(`${'a'.repeat(250)}😀.jpg`, 'image/jpeg', 'photo')).toBe(
      `${'a'.repeat(250)}.jpg`,
    );
    expect(safeFilename('😀'.repeat(200), 'image/jpeg', 'photo').isWellFormed()).toBe(true);
  });
});
