/** Writes the pictures of the documentation again: `npm run pictures`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { takePictures } from './take.ts';

const folder = new URL('../../docs/pictures/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, svg] of Object.entries(await takePictures())) await writeFile(new URL(name, folder), svg);
