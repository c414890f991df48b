/** What is told of photos after their upload. */
import { expect, test } from 'vitest';
import {
  countStored,
  describeUpload,
  missingPhotosError,
  toPhotoUploadResult,
  warnOfDifferences,
} from '../../../../src/cli/commands/photos/upload-result.ts';
import { unverifiedError } from '../../../../src/cli/commands/photos/verify.ts';
import { ApiError, NetworkError } from '../../../../src/client/errors.ts';

const cwd = '/shots';
const at = { method: 'POST', path: '/cars/c/photos' };
const failure = { code: 'x', message: 'No.', exitCode: 3, unknownOutcome: false } as const;
const uncertain = { ...failure, exitCode: 10, unknownOutcome: true } as const;
const stored = (name: string, sameAs: string | null = null) =>
  ({ file: `${cwd}/${name}`, filename: name, status: 'stored', sameAs, error: null }) as never;
const failed = (name: string, error: object = failure) =>
  ({ file: `${cwd}/${name}`, filename: name, status: 'failed', sameAs: null, error }) as never;

test.each([
  [{ status: 'stored', sameAs: null, error: null }, 'stored'],
  [{ status: 'stored', sameAs: '/shots/a.jpg', error: null }, 'duplicate of a.jpg'],
  [{ status: 'not_sent', sameAs: null, error: failure }, 'not sent'],
  [{ status: 'failed', sameAs: null, error: failure }, 'not stored: No.'],
  [{ status: 'failed', sameAs: null, error: uncertain }, 'upload interrupted, may be stored: No.'],
] as const)('%j: %s', (upload, words) => {
  expect(describeUpload(upload as never)).toBe(words);
});

test('a photo counts as stored once, and one that failed does not', () => {
  expect(countStored([stored('a'), stored('b', '/shots/a'), failed('c'), stored('d')])).toBe(2);
});

test('the result of a stored photo has what was made of the file', () => {
  const record = { id: 'p', filename: 'a (1).jpg', sizeBytes: 7 };
  const prepared = {
    ...{ sizeBytes: 7, originalSizeBytes: 9, width: 4, height: 3 },
    ...{ shrunk: true, locationRemoved: false },
  };
  const content = { filename: 'a.jpg', sizeBytes: 7, sha256: 'ab' };
  const of = (more: object, changed: object = {}) =>
    toPhotoUploadResult(
      '/shots/a.jpg',
      { status: 'stored', filename: 'a.jpg', record: { ...record, ...changed } } as never,
      more as never,
    );
  const whole = {
    ...{ file: '/shots/a.jpg', filename: 'a (1).jpg', status: 'stored', photoId: 'p' },
    ...{ sameAs: null, ...prepared, error: null },
  };
  expect(of({ prepared, content })).toEqual(whole);
  const unknown = { sizeBytes: null, originalSizeBytes: null, width: null, height: null };
  expect(of({})).toEqual({ ...whole, ...unknown, shrunk: null, locationRemoved: null });
  expect(of({ sameAs: '/shots/b.jpg' })).toMatchObject({
    filename: 'a.jpg',
    sameAs: '/shots/b.jpg',
  });
  expect(of({}, { filename: '' })).toMatchObject({ filename: 'a.jpg' });
  expect(of({ prepared, content }, { sizeBytes: 6 })).toEqual({
    ...whole,
    differs: '"sizeBytes" is 6, not 7',
  });
});

const naming =
  ' Name the field for the bytes on this server with --photo-field, and keep it with `cs config set photo-field NAME`.';
test.each<[string, ConstructorParameters<typeof ApiError>[1] | undefined, string, string?]>([
  ['no answer', undefined, 'No.'],
  ['another status', { code: 'odd', status: 400, details: 'base64', ...at }, 'No'],
  ['a code of our service', { code: 'session_mismatch', status: 422, details: null, ...at }, 'No'],
  ['a code of another server', { code: 'odd', status: 422, details: null, ...at }, `No.${naming}`],
  [
    'the field of the bytes',
    { code: 'validation_failed', status: 422, details: [{ path: 'sourceUrl' }], ...at },
    `No.${naming}`,
  ],
  [
    'the field in its message',
    { code: 'session_mismatch', status: 422, details: null, ...at },
    `No base64.${naming}`,
    'No base64.',
  ],
  [
    'another field',
    { code: 'validation_failed', status: 422, details: [{ path: 'filename' }], ...at },
    'No',
  ],
])('a refusal for %s may name the flag for the field', (_, facts, message, given = 'No') => {
  const error = facts
    ? new ApiError(given, facts)
    : new NetworkError(given, { code: 'timeout', ...at });
  const result = { status: 'failed', filename: 'a.jpg', error } as never;
  expect(toPhotoUploadResult('/shots/a.jpg', result, {}).error?.message).toBe(message);
});

test('photos that the server shows otherwise are counted', () => {
  const warnings: string[] = [];
  const context = { io: { cwd }, warn: (text: string) => warnings.push(text) } as never;
  const odd = (name: string) => ({ file: `${cwd}/${name}`, differs: '"sizeBytes" is 6, not 7' });
  warnOfDifferences(context, [stored('a.jpg')]);
  for (const count of [1, 2, 3])
    warnOfDifferences(context, ['a.jpg', 'b.jpg', 'c.jpg'].slice(0, count).map(odd) as never);
  const end = ' It may have converted it: compare before you delete the file.';
  const begin = 'The server shows a.jpg otherwise than it was sent: "sizeBytes" is 6, not 7';
  expect(warnings).toEqual([
    `${begin}.${end}`,
    `${begin}, and 1 more photo.${end}`,
    `${begin}, and 2 more photos.${end}`,
  ]);
});

test('the error has the command that sends what is missing, with its flags', () => {
  const io = { cwd, signal: new AbortController().signal };
  const upload = { car: 'c', options: {} };
  const told = (photos: readonly object[], more: object = {}) => {
    const error = missingPhotosError(io, { ...upload, ...more, photos: photos as never });
    return error && [error.message, error.hint];
  };
  const add = 'cs cars photos add c';
  expect(told([stored('a.jpg')])).toBeUndefined();
  expect(told([stored('a.jpg'), failed('b.jpg')])).toEqual([
    '1 of 2 photos not stored: No.',
    `fix the files listed above, then run \`${add} b.jpg\``,
  ]);
  const refused = { ...failure, code: 'forbidden', exitCode: 5 };
  expect(told([failed('a.jpg', refused), failed('b.jpg')])).toEqual([
    '2 of 2 photos not stored: No.',
    `send the missing photos with \`${add} a.jpg b.jpg\``,
  ]);
  const flags = {
    ...{
      sessionId: 's',
      globalFlags: ['--profile', 'x'],
      verify: true,
      done: 'The drop-off is stored',
    },
    options: { keepLocation: true, resize: false, photoField: 'data' },
  };
  expect(told([failed('-a.jpg')], flags)).toEqual([
    'The drop-off is stored, 1 of 1 photo not stored: No.',
    `fix the files listed above, then run \`${add} --session s --keep-location --no-resize --photo-field data --verify --profile x -- -a.jpg\``,
  ]);
  expect(
    told([failed('a.jpg')], { options: { resize: true, photoField: 'base64' } })?.[1],
  ).toContain(`\`${add} a.jpg\``);
  const resume = 'cs pending resume 7';
  expect(told([failed('a.jpg')], { resume })?.[1]).toContain(`\`${add} a.jpg\``);
  expect(told([failed('a.jpg', uncertain)], { resume })).toEqual([
    '1 of 1 photo uncertain: No.',
    `send the missing photos with \`${resume}\``,
  ]);
  expect(told([failed('a.jpg', { ...uncertain, code: 'outcome_unknown' })], { resume })?.[1]).toBe(
    `check on the server which are stored; \`${resume} --send\` sends them again`,
  );
});

test('photos that were compared: the first three by name, and how many more', () => {
  const photos = (verified: string, count: number) =>
    ['a', 'b', 'c', 'd', 'e'].slice(0, count).map((name) => ({ file: `${cwd}/${name}`, verified }));
  const told = (some: object[], reason?: string) =>
    unverifiedError({ io: { cwd } as never }, some as never, { exitCode: 11, reason });
  expect(told(photos('same_bytes', 2))).toBeUndefined();
  expect(told(photos('missing', 1))).toMatchObject({
    message: '1 photo missing on the server: a.',
    details: { missing: ['/shots/a'], unknown: [] },
    exitCode: 11,
  });
  expect(told(photos('missing', 3))?.message).toBe('3 photos missing on the server: a, b, c.');
  expect(told(photos('missing', 4))?.message).toBe(
    '4 photos missing on the server: a, b, c, and 1 more.',
  );
  expect(told([...photos('unknown', 5), ...photos('missing', 1)])?.message).toBe(
    '1 photo missing on the server: a. 5 photos not verified (the server shows neither a matching hash nor name and size): a, b, c, and 2 more.',
  );
  expect(told(photos('unknown', 1), 'no list')?.message).toBe('1 photo not verified (no list): a.');
});
