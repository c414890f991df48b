/** Photos from a phone as files, for the commands that send photos. */
import { rm } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import { defaultRouteAddress, usableAddresses } from '../../phone/address.ts';
import { receivePhotos } from '../../phone/receive.ts';
import type { KeepPhoto } from '../../phone/reception.ts';
import { print } from '../../prompts/run.ts';
import { changesTo, photoTable } from './describe.ts';
import type { PhoneFlags } from './flags.ts';
import { createPhoneFolder, saveInFolder } from './phone-folder.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { prepareAhead } from './prepare-ahead.ts';
import { InvalidPhotos, readPhotos } from './read.ts';

/** One firewall rule is enough. */
const usualPort = 8788;

interface Screen {
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** Photos of a phone that are there already. */
  readonly earlier?: readonly PhotoFacts[];
}

/** Receives photos until the person at the counter goes on; none where that is without photos. */
export async function photosFromPhone(
  context: Context,
  options: PhotoOptions & PhoneFlags,
  { title, earlier = [] }: Screen,
): Promise<PhotoFacts[]> {
  const { phonePort } = options;
  const [address, ...others] = await addressesFor(options);
  const folder = earlier[0] ? dirname(earlier[0].path) : await createPhoneFolder(context);
  if (context.asking) context.asking.prompted = true;
  const listed = (photo: PhotoFacts) => ({
    name: photo.filename,
    sizeBytes: photo.sizeBytes,
    note: changesTo(photo, options),
    photo,
  });
  const photos = await receivePhotos<PhotoFacts>(context, {
    title,
    earlier: earlier.map(listed),
    address,
    advice:
      others.length > 0
        ? ['- another address of this machine:', ...others.map((one) => `  --phone-address ${one}`)]
        : [],
    port: phonePort === undefined ? usualPort : Number(phonePort),
    orAnyPort: phonePort === undefined,
    keep: keepPhotosIn(context, folder, options),
    drop: ({ path }) => rm(path, { force: true }),
  });
  if (!photos || photos.length === 0) return [];
  print(context, `${photoTable(context, photos, options)}\n`);
  return [...photos];
}

/** The best one first. */
async function addressesFor({ phoneAddress }: PhoneFlags): Promise<readonly [string, ...string[]]> {
  if (phoneAddress !== undefined) return [phoneAddress];
  const [best, ...others] = usableAddresses(networkInterfaces(), await defaultRouteAddress());
  if (best !== undefined) return [best, ...others];
  throw new CliError({
    code: 'usage',
    exitCode: 1,
    message: 'This machine has no address that a phone can reach.',
    hint: 'connect it to a network, or give the photos as files',
  });
}

/** Checked as photos that are given as files. */
export function keepPhotosIn(
  context: Pick<Context, 'io' | 'interactive'>,
  folder: string,
  options: PhotoOptions,
): KeepPhoto<PhotoFacts> {
  return async (name, bytes) => {
    let path = '';
    try {
      path = await saveInFolder(folder, name, bytes);
      const [photo] = (await readPhotos(context, [path], options)) as [PhotoFacts];
      prepareAhead(context, [photo], options);
      const { filename, sizeBytes } = photo;
      return { name: filename, sizeBytes, note: changesTo(photo, options), photo };
    } catch (error) {
      if (path !== '') await rm(path, { force: true });
      if (error instanceof InvalidPhotos) {
        // The phone has no use for the path on this machine.
        return { refused: `It ${error.problems[0]?.why}: ${error.hint}.` };
      }
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return { refused: `The counter couldn't save it: ${describeFsError(error)}.`, again: true };
    }
  };
}
