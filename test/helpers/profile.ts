/** A configuration folder of a test's own, with a profile in it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../../src/cli/config/config.ts';
import { makeFolder } from './folder.ts';

/** Makes the folder, and in it a configuration whose one profile, `work`, is in use; answers the folder. */
export async function makeProfile(profile: Profile): Promise<string> {
  const folder = join(await makeFolder(), 'config');
  await mkdir(folder, { mode: 0o700 });
  const config = { currentProfile: 'work', profiles: { work: profile } };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  return folder;
}
