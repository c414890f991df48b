/** Photos from a phone as files, for the commands that send photos. */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { addressesFor } from '../../phone/address.ts';
import { receivePhotos } from '../../phone/receive.ts';
import type { KeepPhoto } from '../../phone/reception.ts';
import { print } from '../../prompts/run.ts';
import { changesTo, photoTable } from './describe.ts';
import type { PhoneFlags } from './flags.ts';
import { createPhoneFolder, saveInFolder } from './phone-folder.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { InvalidPhotos, readPhotos } from './read.ts';

interface Screen {
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** Photos of a phone that are there already. */
  readonly earlier?: readonly PhotoFacts[];
  /** The photos that there should be. */
  readonly checklist?: readonly string[] | undefined;
}

/** Receives photos until the person at the counter goes on; none where that is without photos. */
export async function photosFromPhone(
  context: Context,
  options: PhotoOptions & PhoneFlags,
  { title, earlier = [], checklist = [] }: Screen,
): Promise<PhotoFacts[]> {
  const addresses = await addressesFor(options);
  const folder = earlier[0] ? dirname(earlier[0].path) : await createPhoneFolder(context);
  if (context.asking) context.asking.prompted = true;
  const photos = await receivePhotos<PhotoFacts>(context, {
    title,
    checklist,
    earlier: earlier.map((photo) => arrived(photo, options)),
    ...addresses,
    keep: keepPhotosIn(context, folder, options),
    drop: ({ path }) => rm(path, { force: true }),
  });
  if (photos.length > 0) print(context, `${photoTable(context, photos, options)}\n`);
  return photos;
}

const arrived = (photo: PhotoFacts, options: PhotoOptions) => ({
  name: photo.filename,
  sizeBytes: photo.sizeBytes,
  note: changesTo(photo, options),
  photo,
});

/** Checked as photos that are given as files. */
export function keepPhotosIn(
  context: Pick<Context, 'io'>,
  folder: string,
  options: PhotoOptions,
): KeepPhoto<PhotoFacts> {
  return async (name, bytes) => {
    let path = '';
    try {
      path = await saveInFolder(folder, name, bytes);
      const [photo] = (await readPhotos(context, [path], options)) as [PhotoFacts];
      return arrived(photo, options);
    } catch (error) {
      if (path !== '') await rm(path, { force: true });
      // The phone has no use for the path on this machine.
      if (error instanceof InvalidPhotos)
        return { refused: `It ${error.problems[0]?.why}: ${error.hint}.` };
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return { refused: `The counter couldn't save it: ${describeFsError(error)}.`, again: true };
    }
  };
}
