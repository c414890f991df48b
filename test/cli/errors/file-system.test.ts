/** What the system says of files: in words, and a full disk with one exit code wherever it is met. */
import { constants } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { describeFsError, unusableFile } from '../../../src/cli/errors/file-system.ts';
import { cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const failed = (code: string) =>
  Object.assign(new Error(`${code}: something, open '/x/y'`), { code, path: '/x/y' });

function fullDatabase(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 2; create table t (text)');
  try {
    database.prepare('insert into t values (?)').run('x'.repeat(100_000));
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  return undefined;
}

test('each reason is described in words, without the path', () => {
  const described = Object.keys(constants.errno).map((code) => describeFsError(failed(code)));
  expect(described.filter((text) => /\bE[A-Z]{3,}\b|\/x\/y/.test(text))).toEqual([]);
  const own = ['EPERM', 'ELOOP', 'EDQUOT', 'EROFS', 'EIO', 'ENFILE', 'EMFILE'];
  expect(own.map((code) => describeFsError(failed(code)))).toEqual([
    'permission is denied',
    'its links lead in a circle',
    'your share of the disk is full',
    'the disk is read-only',
    'the disk or the device fails',
    'too many files are open',
    'too many files are open',
  ]);
});

describe('a full disk', () => {
  const told = (error: unknown) => {
    const { code, exitCode, message, hint } = unusableFile("Couldn't use x", error, {
      code: 'state_unusable',
      exitCode: 7,
      hint: 'look',
    });
    return [code, exitCode, message, hint];
  };
  const hint = 'free some space, or look';
  test.each([
    ['a file', failed('ENOSPC'), 'the disk is full'],
    ['a share of it', failed('EDQUOT'), 'your share of the disk is full'],
    ['SQLite', fullDatabase(), 'the disk is full'],
    [
      'the log of SQLite',
      Object.assign(new Error('x'), { errcode: 4874 }),
      'the disk is full or fails',
    ],
  ])('has one code and exit 1: %s', (_, error, why) => {
    expect(told(error)).toEqual(['file_unusable', 1, `Couldn't use x: ${why}.`, hint]);
  });
  test('is told from other failures, which keep their codes', () => {
    const why = "Couldn't use x: permission is denied.";
    expect(told(failed('EACCES'))).toEqual(['state_unusable', 7, why, 'look']);
  });
});

describe('a missing file', async () => {
  const folder = await makeFolder();
  afterAll(() => removeFolder(folder));
  const env = { CS_BASE_URL: 'http://127.0.0.1:1', CS_API_KEY: 'csk_a.b', CS_CONFIG_DIR: folder };
  test.each([
    ['cars create --input /nonexist'],
    ['auth login --key-file /nonexist'],
    ['care apply /nonexist'],
    ['api POST /cars --input /nonexist'],
    ['api POST /cars -F notes=@/nonexist'],
    ['import cars /nonexist'],
    ['cars list --ca-file /nonexist'],
  ])('cs %s', async (line) => {
    const { code, error } = await cs(line.split(' '), { env });
    expect([code, error.message]).toEqual([2, expect.stringContaining(': no such file.')]);
  });
});
