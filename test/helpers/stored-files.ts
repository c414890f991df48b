/** What a service has in its file store. */
import type { Admin } from '../../src/service/admin.ts';
import { deleteDue } from '../../src/service/files/deletions.ts';

/** Keys of a team's files, once those that no record uses are deleted. */
export async function filesOf(
  { database, files, outbox, campaigns }: Admin,
  teamId: string,
): Promise<string[]> {
  await deleteDue({ database, files, outbox, campaigns }, 0);
  const all = await Array.fromAsync(files.list());
  return all.map(({ key }) => key).filter((key) => key.startsWith(`${teamId}/`));
}

export const isStored = async (
  admin: Admin,
  { teamId, sha256 }: { teamId: string; sha256: string },
): Promise<boolean> => (await filesOf(admin, teamId)).some((key) => key.includes(sha256));

/** The key of the bytes of a record. */
export async function keyOf(
  { database }: Admin,
  { teamId, sha256 }: { teamId: string; sha256: string },
): Promise<string> {
  const { key } = await database.read
    .selectFrom('storedBytes')
    .select('key')
    .where('teamId', '=', teamId)
    .where('sha256', '=', sha256)
    .executeTakeFirstOrThrow();
  return key;
}
