/** Photos of cars in the size that a page shows. Made anew for each browser, which keeps them: their bytes never change. */
import { buffer } from 'node:stream/consumers';
import type { Team } from '../context.ts';
import { ApiProblem, invalid, notFound } from '../problem.ts';
import { isId } from '../records.ts';
import { readBytes } from '../rules/stored-bytes.ts';
import type { Stores } from '../stores.ts';
import { takeTurns } from '../turns.ts';

/** A tile, and a large view: pixels of the longer side. */
export const pictureWidths = ['320', '1280'] as const;

/** Neither this service nor most browsers decode these. */
export const undecoded = ['image/heic', 'image/heif'] as const;

/** A few bytes can stand for any number of pixels, and some formats are decoded whole: this takes about 250 MB. */
const mostMegapixels = 60;
const mostSeconds = 20;

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

/** A WebP. Throws `not_found`, and `photo_type_unsupported` for a photo that can't be made smaller here, such as HEIC. */
export async function readPicture(
  { database, files }: Stores,
  { team, id, width, signal }: Wanted,
): Promise<Buffer> {
  if (!pictureWidths.includes(width as (typeof pictureWidths)[number]))
    throw invalid([
      {
        path: 'width',
        rule: 'invalid_value',
        message: `must be one of ${pictureWidths.join(', ')}`,
      },
    ]);
  const { read } = database.ofTeam(team.id);
  const photo = isId(id)
    ? await read
        .selectFrom('carPhotos')
        .selectAll()
        .where('teamId', '=', team.id)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (!photo) throw notFound('photo');
  // The original is read in the turn, so that those who wait hold no bytes.
  return inTurn(
    async () => {
      const { stream } = await readBytes({ team, files }, photo);
      return makeSmaller(await buffer(stream), Number(width));
    },
    { owner: team.id, signal },
  );
}

async function makeSmaller(original: Buffer, side: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(original, { limitInputPixels: mostMegapixels * 1_000_000 })
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp()
    .timeout({ seconds: mostSeconds })
    .toBuffer()
    .catch((error: unknown) => {
      throw new ApiProblem(
        'photo_type_unsupported',
        `This photo ${faultOf(error)}; open the original`,
      );
    });
}

/** sharp's errors have no codes. */
function faultOf(error: unknown): string {
  const text = String(error);
  if (text.includes('pixel limit'))
    return `has more than ${mostMegapixels} megapixels, so it can't be shown smaller`;
  if (text.includes('timeout')) return `takes more than ${mostSeconds} s to be made smaller`;
  return "can't be shown smaller";
}
