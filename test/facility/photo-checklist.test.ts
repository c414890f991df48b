import { expect, test } from 'vitest';
import { fileFor, missingPhotos, namesIn, photosOf } from '../../src/facility/photo-checklist.ts';

test.each<[file: string | null, isOf: readonly string[]]>([
  ['front.jpg', ['front']],
  ['FRONT.JPEG', ['front']],
  ['front', ['front']],
  ['front-2.jpg', ['front']],
  ['front (2).heic', ['front']],
  ['front_12.png', ['front']],
  ['front left.jpg', []],
  ['front-left.jpg', ['front-left']],
  ['front-left-3.jpg', ['front-left']],
  ['frontal.jpg', []],
  ['my front.jpg', []],
  ['front.rear.jpg', []],
  // As a Mac writes it.
  ['scha\u0308den.jpg', ['schäden']],
  ['IMG_0001.jpg', []],
  [null, []],
])('%s shows %j', (file, isOf) => {
  const names = ['front', 'front-left', 'schäden'];
  expect(missingPhotos(names, [file])).toEqual(names.filter((name) => !isOf.includes(name)));
});

test('names are read from text, and of a server only from a list', () => {
  expect(namesIn(' Front, rear,front,')).toEqual(['front', 'rear']);
  expect(photosOf({ photos: ['Front', 'rear'] })).toEqual(['front', 'rear']);
  for (const photos of [undefined, null, 'front', 4]) expect(photosOf({ photos })).toEqual([]);
});

test('a photo is sent under its name, with the ending of its file', () => {
  expect(['IMG_1.HEIC', '', 'image'].map((file) => fileFor('rear', file))).toEqual([
    'rear.heic',
    'rear.jpg',
    'rear.jpg',
  ]);
});
