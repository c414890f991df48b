/** Writes the pictures of the documentation again: `npm run pictures`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { chromium } from '../helpers/chromium.ts';
import { takeDashboardPictures } from './dashboard.ts';
import { takePaperPictures } from './paper.ts';
import { takePictures } from './take.ts';

async function write(
  folder: URL,
  pictures: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, picture] of Object.entries(pictures))
    await writeFile(new URL(name, folder), picture);
}

const folder = new URL('../../docs/pictures/', import.meta.url);
await write(folder, await takePictures());
if (chromium) {
  await write(new URL('paper/', folder), await takePaperPictures());
  await write(new URL('dashboard/', folder), await takeDashboardPictures());
} else
  console.warn(
    'No Chromium was found: the pictures of the dashboard stay as they are. Install it, or name its path in CS_CHROMIUM.',
  );
