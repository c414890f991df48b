/** What the system says of files: in words, and a full disk with one exit code wherever it is met. */
import { constants } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { describeFsError, exitCodeOfFsError, isFull } from '../../../src/cli/errors/file-system.ts';
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

describe('a reason', () => {
  test.each(Object.keys(constants.errno))('describes %s in words', (code) => {
    expect(describeFsError(failed(code))).not.toMatch(/\bE[A-Z]{3,}\b/);
    expect(describeFsError(failed(code))).not.toMatch(/\/x\/y/);
  });
  test('of a full disk is the same for a file and SQLite, with exit 1', () => {
    for (const error of [failed('ENOSPC'), fullDatabase()]) {
      expect([describeFsError(error), isFull(error), exitCodeOfFsError(error, 2)]).toEqual([
        'the disk is full',
        true,
        1,
      ]);
    }
    expect([isFull(failed('EACCES')), exitCodeOfFsError(failed('EACCES'), 2)]).toEqual([false, 2]);
  });
});

describe('a missing file', async () => {
  const folder = await makeFolder();
  afterAll(() => removeFolder(folder));
  const env = { CS_BASE_URL: 'http://127.0.0.1:1', CS_API_KEY: 'csk_a.b', CS_CONFIG_DIR: folder };
  test.each([
    ['cars create --input /nonexist'],
    ['auth login --key-file /nonexist'],
    ['threads messages send x --body-file /nonexist'],
    ['api POST /cars --input /nonexist'],
    ['api POST /cars -F notes=@/nonexist'],
    ['import cars /nonexist'],
    ['cars list --ca-file /nonexist'],
  ])('cs %s', async (line) => {
    const { code, error } = await cs(line.split(' '), { env });
    expect([code, error.message]).toEqual([2, expect.stringContaining(': no such file.')]);
  });
});
