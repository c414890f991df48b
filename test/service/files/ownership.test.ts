/** Which store a database takes as its own, and what the operator reads about any other one. */
import { expect, test } from 'vitest';
import { requireOwnStore } from '../../../src/service/files/ownership.ts';
import type { FileStore } from '../../../src/service/files/store.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const { database } = service.admin;
const { id } = await database.read.selectFrom('fileFolder').select('id').executeTakeFirstOrThrow();

const bucket = 's3://garage/files';
const copy = `copy them with \`cs admin files copy --to ${bucket}\``;
const known = {
  fresh: { place: null, claimed: false, moves: 0 },
  claimed: { place: bucket, claimed: true, moves: 0 },
  moved: { place: bucket, claimed: true, moves: 2 },
  elsewhere: { place: 's3://attic', claimed: true, moves: 1 },
  inFolder: { place: null, claimed: true, moves: 0 },
  backInFolder: { place: null, claimed: true, moves: 2 },
};

/** The outcome, with the owner that the store names afterwards. */
async function outcome(row: keyof typeof known, place: string, owner?: string, claim?: boolean) {
  await database.write.updateTable('fileFolder').set(known[row]).execute();
  let named = owner;
  const store = {
    place,
    readOwner: async () => named,
    writeOwner: async (text: string) => {
      named = text;
    },
    checkWritable: async () => {},
  } as Partial<FileStore> as FileStore;
  const answer = await requireOwnStore(database, store, { claim }).catch(
    ({ name, message, hint }) => `${name}: ${message}. ${hint}`,
  );
  const after = await database.read.selectFrom('fileFolder').selectAll().executeTakeFirstOrThrow();
  return { answer, named, place: after.place, claimed: Boolean(after.claimed) };
}

test.each<[keyof typeof known, owner: string | undefined]>([
  ['claimed', id],
  ['moved', `${id} 2`],
])('the store of a database that is %s', async (row, owner) => {
  const { place, claimed, moves } = known[row];
  expect(await outcome(row, bucket, owner)).toEqual({
    answer: moves,
    named: owner,
    place,
    claimed,
  });
});

test('a new store is claimed once, and not by a check', async () => {
  const unclaimed = { answer: 0, named: undefined, place: null, claimed: false };
  expect(await outcome('fresh', bucket, undefined, false)).toEqual(unclaimed);
  const claimed = { answer: 0, named: id, place: bucket, claimed: true };
  expect(await outcome('fresh', bucket)).toEqual(claimed);
  // It named its owner, and the service ended before it noted the place.
  expect(await outcome('fresh', bucket, id)).toEqual(claimed);
});

test('the data folder of an SQLite database needs no id, unless the files have moved', async () => {
  const { place, claimed } = known.inFolder;
  const taken = { answer: 0, named: undefined, place, claimed };
  expect(await outcome('inFolder', '/data/files')).toEqual(taken);
});

const lost = (owner: string) =>
  `The store ${bucket} isn't the one with the files of this database. check CS_FILES_ENDPOINT and the bucket. If the bucket was lost, keep the records and go on without its files: write "${owner}" into the object ${bucket}/database-id, and \`cs admin check\` names what is missing`;

test.each<[keyof typeof known, place: string, owner: string | undefined, message: string]>([
  [
    'elsewhere',
    bucket,
    undefined,
    `The files of this database are in s3://attic, not in ${bucket}. start with --files s3://attic, or ${copy}`,
  ],
  [
    'elsewhere',
    '/data/files',
    undefined,
    'The files of this database are in s3://attic, not in /data/files. start with --files s3://attic',
  ],
  [
    'backInFolder',
    bucket,
    `${id} 1`,
    `The files of this database are in the data folder, not in ${bucket}. start without --files, or ${copy}`,
  ],
  ['claimed', bucket, undefined, lost(id)],
  ['moved', bucket, `${id} 1`, lost(`${id} 2`)],
  [
    'fresh',
    bucket,
    'another',
    `The store ${bucket} has the files of another database. name another prefix or another bucket with --files`,
  ],
  [
    'inFolder',
    bucket,
    undefined,
    `The store ${bucket} isn't the one with the files of this database. ${copy}`,
  ],
])('refused: %s, %s with the owner %s', async (row, place, owner, message) => {
  const { place: stays, claimed } = known[row];
  expect(await outcome(row, place, owner)).toEqual({
    answer: `OtherStore: ${message}`,
    named: owner,
    place: stays,
    claimed,
  });
});

test('a database with photos in its folder claims no empty store', async () => {
  await facility(service).photo((await facility(service).car()).id);
  expect((await outcome('fresh', bucket)).answer).toBe(
    `OtherStore: The photos and assets of this database aren't in ${bucket}. ${copy}, or start without --files`,
  );
});
