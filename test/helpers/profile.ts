/** A separate configuration folder for a test, with a profile. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../../src/cli/config/config.ts';
import { makeFolder } from './folder.ts';

/** Creates the folder and a configuration with `work` as its only and current profile; returns the folder. */
export async function makeProfile(profile: Profile): Promise<string> {
  const folder = join(await makeFolder(), 'config');
  await mkdir(folder, { mode: 0o700 });
  const config = { currentProfile: 'work', profiles: { work: profile } };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  return folder;
}
