import { describe, expect, test } from 'vitest';
import { distinctNames, fileKey, safeName } from '../../../../src/cli/commands/files/names.ts';
import fc, { anyText } from '../../../helpers/property.ts';

const named = (...names: unknown[]) =>
  names.map((name, index) => ({ id: `019aa0a3-4d00-7000-8000-00000000000${index}`, name }));

describe('a safe name', () => {
  test.each([
    ['front.jpg', 'front.jpg'],
    ['Tür 1.png', 'Tür 1.png'],
    ['Tu\u0308r.png', 'Tür.png'],
    ['../../.bashrc', '_.._.bashrc'],
    ['..\\..\\x', '_.._x'],
    ['.ssh', 'ssh'],
    ['-rf', 'rf'],
    ['. -x', 'x'],
    ['a:b', 'a_b'],
    ['a\nb\u001b[2J', 'a_b_[2J'],
    ['a\u202egpj.exe', 'a_gpj.exe'],
    ['a\u2066b\u200cc\ufeff\u2028d', 'a_b_c__d'],
    ['\ud800x', '_x'],
    ['x. . ', 'x'],
    ['con', 'photo-1-con'],
    ['NUL.tar.gz', 'photo-1-NUL.tar.gz'],
    ['COM¹.txt', 'photo-1-COM¹.txt'],
    ['aux .txt', 'photo-1-aux .txt'],
    ['conout$', 'photo-1-conout$'],
    ['console', 'console'],
    ['', 'photo-1'],
    ['...', 'photo-1'],
    [null, 'photo-1'],
    [7, 'photo-1'],
    [{ toString: 'x' }, 'photo-1'],
  ])('of %j is %j', (name, safe) => {
    expect(safeName(name, 'photo-1')).toBe(safe);
  });

  test('shortens names that are too long, between characters, and keeps the extension', () => {
    expect(safeName(`${'x'.repeat(300)}.jpg`, 'f')).toBe(`${'x'.repeat(196)}.jpg`);
    const wide = safeName(`${'😀'.repeat(300)}.jpg`, 'f');
    expect(wide).toBe(`${'😀'.repeat(49)}.jpg`);
    expect(Buffer.byteLength(safeName(`a.${'x'.repeat(300)}`, 'f'))).toBe(200);
  });

  test('also comes from an unsafe fallback', () => {
    expect(safeName('', 'photo-x/../../.profile')).toBe('photo-x_.._.._.profile');
    expect(safeName('', '..')).toBe('file');
  });
});

describe('distinct names', () => {
  test('differ where some file systems ignore the difference', () => {
    const names = distinctNames(
      named(
        'a.jpg',
        'A.JPG',
        'Stra\u00dfe',
        'STRASSE',
        'e\u0301',
        '\u00e9',
        'b\u034f.c',
        'b.c',
        'alone.jpg',
      ),
      'photo',
    );
    expect(new Set(names.map(fileKey)).size).toBe(9);
    expect(names).toContain('alone.jpg');
    expect(names[0]).toBe('a-00000000.jpg');
  });

  test('also work for similar, hostile or non-text ids', () => {
    const records = [
      { id: 'x/../../y', name: 'a.jpg' },
      { id: 'x/../../y', name: 'a.jpg' },
      { id: '../', name: 'a.jpg' },
      { id: 7, name: 'a.jpg' },
      { id: null, name: 'a.jpg' },
      { id: 'z', name: 'a-xy.jpg' },
      { id: '/etc/passwd', name: '' },
    ];
    expect(distinctNames(records, 'photo')).toEqual([
      'a-xy-2.jpg',
      'a-xy-3.jpg',
      'a.jpg',
      'a-7.jpg',
      'a-null.jpg',
      'a-xy.jpg',
      'photo-_etc_passwd',
    ]);
  });

  test('of files in folders are paths', () => {
    const records = [
      { id: 1, name: 'x.png', folders: ['Summer'] },
      { id: 2, name: 'X.png', folders: ['SUMMER'] },
      { id: 3, name: 'y', folders: ['summer', '..'] },
    ];
    expect(distinctNames(records, 'asset')).toEqual([
      'Summer/x-1.png',
      'SUMMER/X-2.png',
      'summer/folder/y',
    ]);
  });

  test('any names and ids give one path segment each and different files', () => {
    const text = fc.oneof(
      anyText,
      fc.constantFrom('a', 'A', '..', '../x', 'con', '\u202e', 'a/b', 'a\\b', '.a', '-a'),
    );
    const value = fc.oneof(
      { weight: 9, arbitrary: text },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    fc.assert(
      fc.property(fc.array(fc.record({ id: value, name: value }), { maxLength: 12 }), (records) => {
        const names = distinctNames(records, 'photo');
        expect(new Set(names.map(fileKey)).size).toBe(records.length);
        for (const name of names) {
          expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}/\\:]|^[.-]|^$|[. ]$/u);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
        }
      }),
    );
  });
});
