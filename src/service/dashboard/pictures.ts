/** Photos of cars in the size that a page shows. Kept here for a while, and by each browser: their bytes never change. */
import { buffer } from 'node:stream/consumers';
import { loadSharp } from '../../parts.ts';
import type { Team } from '../context.ts';
import { ApiProblem, invalidValue, notFound } from '../problem.ts';
import { find } from '../records.ts';
import { readBytes } from '../rules/stored-bytes.ts';
import type { Stores } from '../stores.ts';
import { takeTurns } from '../turns.ts';

/** A tile, and a large view: pixels of the longer side. */
export const pictureWidths = ['320', '1280'] as const;

/** Neither this service nor most browsers decode these. */
export const undecoded = ['image/heic', 'image/heif'] as const;

/**
 * A few bytes can stand for any number of pixels. JPEG and WebP are decoded in parts or quickly: about 250 MB and half a second at most. The
 * other formats take three times as long for a pixel, AVIF ten times.
 */
const megapixelsOf = (contentType: string): number =>
  ['image/jpeg', 'image/webp'].includes(contentType) ? 60 : 25;
const mostSeconds = 20;

/** Bytes of pictures that are kept: the tiles of about 2,000 cars. */
const mostKeptBytes = 32_000_000;

/** A page of tiles fits into what may wait of a team. */
const inTurn = takeTurns({
  most: 2,
  mostWaiting: 200,
  mostWaitingEach: 60,
  refusal: 'Too many pictures at once',
});

interface Wanted {
  readonly team: Team;
  readonly id: string;
  readonly width: unknown;
  /** The browser has left: nobody waits for the picture any more. */
  readonly signal: AbortSignal;
}

/** Reads a WebP. Throws `not_found`, and `photo_type_unsupported` for a photo that can't be made smaller here, such as HEIC. */
export function createPictures(stores: Stores): (wanted: Wanted) => Promise<Buffer> {
  const kept = keepRecent(mostKeptBytes);
  return (wanted) => readPicture(stores, kept, wanted);
}

async function readPicture(
  { database, files }: Stores,
  kept: Kept,
  { team, id, width, signal }: Wanted,
): Promise<Buffer> {
  if (!pictureWidths.includes(width as (typeof pictureWidths)[number]))
    throw invalidValue('width', 'invalid_value', `must be one of ${pictureWidths.join(', ')}`);
  const { read } = database.ofTeam(team.id);
  const photo = await find({ db: read, team }, 'carPhotos', id);
  if (!photo) throw notFound('photo');
  const name = `${team.id} ${photo.sha256} ${width}`;
  const found = kept.get(name);
  if (found) return resultOf(found);
  // The original is read in the turn, so that those who wait hold no bytes.
  return inTurn(
    async () => {
      // Somebody else who waited has got it meanwhile.
      const known = kept.get(name);
      if (known) return resultOf(known);
      const { stream } = await readBytes({ db: read, team, files }, photo);
      const made = await makeSmaller(await buffer(stream), Number(width), photo.contentType).catch(
        (refusal: ApiProblem) => refusal,
      );
      kept.add(name, made);
      return resultOf(made);
    },
    { owner: team.id, signal },
  );
}

/** A picture, or why there is none. */
type Made = Buffer | ApiProblem;

function resultOf(made: Made): Buffer {
  if (made instanceof ApiProblem) throw made;
  return made;
}

interface Kept {
  get(name: string): Made | undefined;
  add(name: string, made: Made): void;
}

/** Above the size, what was asked for longest ago is dropped. */
function keepRecent(mostBytes: number): Kept {
  const kept = new Map<string, Made>();
  const sizeOf = (made: Made) => 1_000 + (made instanceof ApiProblem ? 0 : made.length);
  let bytes = 0;
  const drop = (name: string) => {
    const made = kept.get(name);
    if (made && kept.delete(name)) bytes -= sizeOf(made);
    return made;
  };
  const add = (name: string, made: Made) => {
    drop(name);
    kept.set(name, made);
    bytes += sizeOf(made);
    for (const oldest of kept.keys()) {
      if (bytes <= mostBytes) break;
      drop(oldest);
    }
  };
  return {
    get(name) {
      const made = drop(name);
      if (made) add(name, made);
      return made;
    },
    add,
  };
}

/** Rejects with an `ApiProblem` alone. */
async function makeSmaller(original: Buffer, side: number, contentType: string): Promise<Buffer> {
  const sharp = await loadSharp();
  const megapixels = megapixelsOf(contentType);
  return sharp(original, { limitInputPixels: megapixels * 1_000_000 })
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp()
    .timeout({ seconds: mostSeconds })
    .toBuffer()
    .catch((error: unknown) => {
      throw new ApiProblem(
        'photo_type_unsupported',
        `This photo ${faultOf(error, megapixels)}; open the original`,
      );
    });
}

/** sharp's errors have no codes. */
function faultOf(error: unknown, megapixels: number): string {
  const text = String(error);
  if (text.includes('pixel limit'))
    return `has more than ${megapixels} megapixels, so it can't be shown smaller`;
  if (text.includes('timeout')) return `takes more than ${mostSeconds} s to be made smaller`;
  return "can't be shown smaller";
}
