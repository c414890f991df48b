import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFilesPlace } from '../../../../src/cli/commands/data/files-place.ts';
import { readVariable } from '../../../../src/cli/commands/data/secrets.ts';
import { unknownVariables } from '../../../../src/cli/framework/variables.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';

test('a secret is in the variable, in the file that it names, or among the credentials of systemd', async () => {
  const cwd = await makeFolder();
  onTestFinished(() => removeFolder(cwd));
  await writeFile(join(cwd, 'url'), 'postgres://in-a-file/cars\n');
  await mkdir(join(cwd, 'credentials'));
  await writeFile(join(cwd, 'credentials', 'CS_DATABASE'), 'postgres://of-systemd/cars\n');
  const read = (env: Record<string, string>) => readVariable({ env, cwd }, 'CS_DATABASE');
  const credentials = { CREDENTIALS_DIRECTORY: join(cwd, 'credentials') };
  expect(read({})).toBeUndefined();
  expect(read({ CS_DATABASE: 'postgres://here/cars' })).toBe('postgres://here/cars');
  expect(read({ ...credentials, CS_DATABASE_FILE: 'url' })).toBe('postgres://in-a-file/cars');
  expect(read(credentials)).toBe('postgres://of-systemd/cars');
  const access = (name: string) => readVariable({ env: credentials, cwd }, name);
  await writeFile(join(cwd, 'credentials', 'CS_AWS_ACCESS_KEY_ID'), 'id');
  await writeFile(join(cwd, 'credentials', 'AWS_SECRET_ACCESS_KEY'), 'secret');
  expect([access('AWS_ACCESS_KEY_ID'), access('AWS_SECRET_ACCESS_KEY')]).toEqual(['id', 'secret']);
  // A name that nothing reads, and one that is read from the environment alone.
  expect(unknownVariables(credentials)).toEqual([]);
  for (const name of [
    'CS_DATABSE',
    'CS_HOST',
    'CS_AWS_SECRET_ACCES_KEY',
    'CS_DATABASE~',
    'another',
  ])
    await writeFile(join(cwd, 'credentials', name), 'x');
  expect(unknownVariables(credentials).sort()).toEqual([
    "The credential CS_AWS_SECRET_ACCES_KEY isn't one that cs reads.",
    "The credential CS_DATABSE isn't one that cs reads.",
    "The credential CS_HOST isn't one that cs reads: set it in the environment.",
  ]);
  expect(unknownVariables({ CREDENTIALS_DIRECTORY: join(cwd, 'url') })).toEqual([]);
});

const variables = {
  CS_FILES_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

test('a bucket of Amazon S3 needs its region alone', () => {
  expect(readFilesPlace({ env: variables, cwd: '/' }, 's3://garage')).toMatchObject({
    bucket: 'garage',
    prefix: '',
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
  });
});

test('a slash at its end changes nothing', () => {
  const read = (given: string) => readFilesPlace({ env: variables, cwd: '/' }, given);
  expect(read('s3://garage/photos/')).toEqual(read('s3://garage/photos'));
});
