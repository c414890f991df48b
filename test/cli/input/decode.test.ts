/** Text that people give: decoded whole, or refused at the first wrong byte. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeText, type Encoding, encodeText, encodings } from '../../../src/cli/input/decode.ts';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import {
  html,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';

const bytes = (...given: (string | number[])[]) =>
  Buffer.concat(
    given.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

const decode = (whole: Uint8Array, encoding?: Encoding) =>
  decodeText(whole, { name: 'a.csv', encoding, hasFlag: true });

const refusal = (whole: Uint8Array, encoding?: Encoding) =>
  decode(whole, encoding).then(
    (text) => ({ text }),
    ({ code, message, hint, exitCode }) => ({ code, message, hint, exitCode }),
  );

test.each(['utf-16le', 'utf-16be'] as const)(
  '%s without a byte order mark is known by its first bytes',
  async (encoding) => {
    const whole = Buffer.from('name\nMüller\n', 'utf16le');
    const given = encoding === 'utf-16le' ? whole : whole.swap16();
    expect(await refusal(given)).toEqual({
      code: 'invalid_file',
      message: "a.csv isn't UTF-8: every second one of its first bytes is 00, as in UTF-16.",
      hint: `add \`--encoding ${encoding}\``,
      exitCode: 3,
    });
    expect(await decode(given, encoding)).toBe('name\nMüller\n');
  },
);

describe('UTF-8', () => {
  test('removes one byte order mark', async () => {
    expect(await decode(bytes([0xef, 0xbb, 0xbf], 'a'))).toBe('a');
    expect(await decode(Buffer.from('\ufeff\ufeffa'))).toBe('\ufeffa');
    expect(await decodeText(bytes([0xef, 0xbb, 0xbf]), { name: 'a' })).toBe('');
  });

  const hint = 'if a spreadsheet program saved it, add `--encoding windows-1252`';
  test.each([
    ['a letter of windows-1252', bytes('name\r\nM', [0xfc], 'ller\r\n'), 2, 2, 'FC'],
    ['behind a byte order mark', bytes([0xef, 0xbb, 0xbf], 'ab', [0xe9]), 1, 3, 'E9'],
    [
      'behind U+FFFD, which is in the file itself',
      bytes('\ufffd\n\ufffd🚗', [0xe4], ';'),
      2,
      3,
      'E4',
    ],
    ['a character that is cut at the end', bytes('a\n', [0xe6, 0xbc]), 2, 1, 'E6'],
  ])('%s is refused with its place', async (_, whole, line, column, byte) => {
    expect(await refusal(whole)).toEqual({
      code: 'invalid_file',
      message: `a.csv isn't UTF-8: line ${line}, column ${column} has the byte ${byte}.`,
      hint,
      exitCode: 3,
    });
  });

  test('the hint names --encoding only where it exists', async () => {
    await expect(decodeText(bytes([0xfc]), { name: '/a' })).rejects.toMatchObject({
      hint: 'save it as UTF-8',
      exitCode: 3,
    });
  });
});

describe('other encodings', () => {
  test.each([
    ['windows-1252', bytes('M', [0xfc], 'ller ', [0x80, 0x93, 0x94]), 'Müller €“”'],
    ['latin1', bytes('M', [0xfc], 'ller', [0x93]), 'Müller“'],
    ['utf-16', bytes([0xff, 0xfe], Buffer.from('aü🚗\n', 'utf16le').toJSON().data), 'aü🚗\n'],
    ['utf-16', bytes([0xfe, 0xff], [...Buffer.from('aü🚗', 'utf16le').swap16()]), 'aü🚗'],
    ['utf-16', Buffer.from('no mark', 'utf16le'), 'no mark'],
    ['utf-16le', Buffer.from('\ufeffaü🚗', 'utf16le'), 'aü🚗'],
    ['utf-16be', Buffer.from('aü🚗', 'utf16le').swap16(), 'aü🚗'],
  ] as const)('%s', async (encoding, whole, text) => {
    expect(await decode(whole, encoding)).toBe(text);
  });

  test.each([
    [
      'windows-1252',
      bytes('a\nb', [0x81]),
      "a.csv isn't windows-1252: line 2, column 2 has the byte 81.",
    ],
    ['latin1', bytes('a', [0x81]), "a.csv isn't latin1: line 1, column 2 has the byte 81."],
    [
      'utf-16le',
      bytes(Buffer.from('a\nb🚗', 'utf16le').subarray(0, 8).toJSON().data),
      "a.csv isn't utf-16le: line 2, column 2 has the byte 3D D8.",
    ],
    [
      'utf-16be',
      bytes([0, 0x61, 0xdc, 0, 0, 0x62]),
      "a.csv isn't utf-16be: line 1, column 2 has the byte DC 00.",
    ],
    ['utf-16le', bytes([0x61, 0, 0x62]), "a.csv isn't utf-16le: line 1, column 2 has the byte 62."],
  ] as const)('%s with an invalid byte', async (encoding, whole, message) => {
    expect(await refusal(whole, encoding)).toMatchObject({
      code: 'invalid_file',
      message,
      exitCode: 3,
    });
  });

  test.each([
    [undefined, [0xff, 0xfe, 0x61, 0], 'a.csv is UTF-16LE', 'add `--encoding utf-16`'],
    [undefined, [0xfe, 0xff, 0, 0x61], 'a.csv is UTF-16BE', 'add `--encoding utf-16`'],
    ['utf-16le', [0xfe, 0xff, 0, 0x61], 'a.csv is UTF-16BE', 'add `--encoding utf-16`'],
    ['windows-1252', [0xef, 0xbb, 0xbf, 0x61], 'a.csv is UTF-8', 'leave --encoding out'],
    ['utf-16', [0xef, 0xbb, 0xbf, 0x61], 'a.csv is UTF-8', 'leave --encoding out'],
  ] as const)(
    '--encoding %s and the byte order mark of another: %j',
    async (encoding, whole, message, hint) => {
      expect(await refusal(Buffer.from(whole), encoding)).toEqual({
        code: 'invalid_file',
        exitCode: 3,
        hint,
        message: expect.stringContaining(message),
      });
    },
  );

  test.each(encodings)('reads back text written in %s', async (encoding) => {
    expect(await decode(encodeText('Müller\r\n', encoding), encoding)).toBe('Müller\r\n');
  });
});

test.each([
  ['compressed with gzip', gzipSync('a,b\n1,2\n'), 'unpack it first with gunzip'],
  [
    'a zip archive or an .xlsx spreadsheet',
    bytes('PK', [3, 4, 20, 0, 6]),
    'save the sheet as "CSV UTF-8" in the spreadsheet program, or unpack the archive first',
  ],
  [
    'an .xls spreadsheet or another Office file',
    bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
    'save the sheet as "CSV UTF-8" in the spreadsheet program',
  ],
])('names a file that is %s', async (what, whole, hint) => {
  for (const encoding of [undefined, 'windows-1252'] as const)
    expect(await refusal(whole, encoding)).toEqual({
      ...{ code: 'invalid_file', exitCode: 3, message: `a.csv is ${what}, not text.`, hint },
    });
});

describe("refuses text that isn't UTF-8 everywhere, before any request", () => {
  let server: MisbehavingServer;
  let folder: string;
  const latin = Buffer.from('{"name":"M\xfcller"}', 'latin1');
  beforeAll(async () => {
    folder = await makeFolder();
    await writeFile(join(folder, 'a.json'), latin);
    server = await startMisbehavingServer(() => html(500));
  });
  afterAll(async () => {
    await server.close();
    await removeFolder(folder);
  });

  test.each([
    [['locations', 'create', '--input', 'a.json']],
    [['contacts', 'delete', '--ids', '-', '--confirm', '1']],
    [['care', 'apply', 'a.json']],
    [['api', 'POST', '/locations', '-F', 'name=@-']],
    [['import', 'locations', 'a.json']],
    [['auth', 'login', '--key-file', 'a.json']],
    [['auth', 'login', '--with-key']],
    [['locations', 'list'], 'CS_KEY_FILE'],
  ] as const)('cs %j', async (line, variable?: 'CS_KEY_FILE') => {
    const before = server.requests.length;
    const { code, error, stdout } = await cs(line, {
      cwd: folder,
      stdin: latin,
      env: {
        CS_BASE_URL: server.url,
        CS_RETRIES: '0',
        CS_CONFIG_DIR: folder,
        ...(variable === 'CS_KEY_FILE' ? { CS_KEY_FILE: 'a.json' } : { CS_API_KEY: 'csk_a.b' }),
      },
    });
    expect([code, error.code, stdout, server.requests.length - before]).toEqual([
      3,
      'invalid_file',
      '',
      0,
    ]);
    expect(error.message).toMatch(
      /(a\.json|stdin) isn't UTF-8: line 1, column 11 has the byte FC\.$/,
    );
  });

  test('a file of certificates, often DER', async () => {
    await writeFile(join(folder, 'office ca.pem'), Buffer.from([0x30, 0x82, 0x03, 0x01]));
    const before = server.requests.length;
    const env = { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b', CS_CONFIG_DIR: folder };
    const run = (command: string) =>
      cs([command, '--ca-file', 'office ca.pem', '-o', 'json'], { cwd: folder, env });
    const { code, error } = await run('today');
    expect([code, error.code, server.requests.length - before]).toEqual([3, 'invalid_file', 0]);
    expect([error.message, error.hint]).toEqual([
      "The certificate file office ca.pem (flag --ca-file) isn't UTF-8: line 1, column 2 has the byte 82.",
      "use a PEM file; convert a DER file with `openssl x509 -inform der -in 'office ca.pem'`",
    ]);
    const report = await run('doctor');
    expect([report.code, report.stdout]).toEqual([3, expect.stringContaining("isn't UTF-8")]);
  });

  test('the first line of a key command', async () => {
    const command = "printf '\\377\\376c\\000\\n\\000'";
    const env = { CS_BASE_URL: server.url, CS_KEY_COMMAND: command, CS_CONFIG_DIR: folder };
    const before = server.requests.length;
    const { code, error } = await cs(['locations', 'list'], {
      env: { ...env, PATH: process.env.PATH ?? '' },
    });
    expect([code, error.code, server.requests.length - before]).toEqual([3, 'invalid_file', 0]);
    expect([error.message, error.hint]).toEqual([
      'The output of the key command (environment CS_KEY_COMMAND) is UTF-16LE: its first bytes are the byte order mark of UTF-16LE.',
      `have it print UTF-8: \`${command}\``,
    ]);
  });
});
