// What somebody would write to shrink the photos of a folder, on all processors: the encoding of `cs`, and nothing else.
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const [folder] = process.argv.slice(2);
const queue = (await readdir(folder)).values();
const shrink = async () => {
  for (const name of queue) {
    await sharp(join(folder, name))
      .autoOrient()
      .resize({ width: 4096, height: 4096, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .keepExif()
      .keepIccProfile()
      .jpeg({ quality: 85 })
      .toBuffer();
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, shrink));
