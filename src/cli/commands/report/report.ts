/** `cs report`: the hand-over sheet of a car as a file to print and sign. */
import { pathToFileURL } from 'node:url';
import type { Client } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { titleOf } from '../../../facility/car-names.ts';
import {
  eventOf,
  inOrder,
  type Sheet,
  type SheetPhoto,
  sheetHtml,
  sheetOf,
} from '../../../facility/sheet.ts';
import { loadSharp } from '../../../parts.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import {
  Argument,
  type CommandBuilder,
  type Input,
  suggestRecords,
} from '../../framework/command.ts';
import { localTime } from '../../input/when.ts';
import { resultView } from '../../output/view.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { joinList, pluralize, quote, shortPath } from '../../terminal/text.ts';
import { timeInZone } from '../counter/time-zones.ts';
import { mapParallel } from '../files/parallel.ts';
import { ifOpen, readPlaces } from '../live/read.ts';
import { openInBrowser } from '../open/browser.ts';
import { pageFile, savePage } from './pdf.ts';

type Car = RecordFor<'cars'>;
type Event = RecordFor<'carEvents'>;

export const report: CommandBuilder = (command) => {
  command
    .description(
      'Write the hand-over sheet of a car: facility, car, owner, place, event, mileage, notes, photos by name, and lines to sign. One HTML file for A4 that holds its pictures, or a PDF with --to NAME.pdf, which needs Chromium or Chrome (CHROME_PATH).\n' +
        'With --compare, the photos of the event stand beside those of the event before it that has photos, by their names: front.jpg beside FRONT.JPG.',
    )
    .addArgument(
      suggestRecords(new Argument('<car>', 'id, plate, VIN or nickname of the car'), 'cars'),
    )
    .option('--event <id>', 'the event of the sheet (default: the last one that `cs undo` left)')
    .option('--compare', 'beside the event before it')
    .option('--to <file>', 'the file: .html or .pdf (default: named by car and day)')
    .option('--overwrite', 'replace an existing file')
    .option('--open', 'open the file in the browser')
    .declareOutput(resultView('sheet', ['file', 'carId', 'eventIds', 'photos', 'notShown']));
  command.needs(
    { part: 'carEvents.list', otherwise: 'exit 9' },
    { part: 'carPhotos.list', otherwise: 'exit 9' },
    { part: 'carPhotos.content', otherwise: 'exit 9 for an event with photos' },
  );
  command.examples([
    'cs report Greta',
    'cs report "WN AB 123" --compare --to greta.html',
    'cs report Greta --open',
  ]);
  command.handle(run);
};

async function run(context: Context, { args: [text], options }: Input): Promise<void> {
  const { io, output, note } = context;
  const car = (await resolveRecord(context, { resource: 'cars', text })) as Car;
  const file = pageFile(io, options.to ?? defaultName(car, io.now()));
  const client = await context.client();
  const events = await gather(client.carEvents.all(car.id));
  const { event, before } = eventOf(events, options.event);
  if (!event && options.event !== undefined)
    throw new CliError({
      code: 'not_found',
      message: `${titleOf(car)} has no event ${options.event}.`,
      hint: `list them with \`cs cars events list ${quote(text)}\``,
    });
  const visits = event ? [{ event, photos: await photosOf(client, car, event) }] : [];
  if (options.compare) {
    for (const earlier of before) {
      const photos = await photosOf(client, car, earlier);
      if (photos.length > 0) {
        visits.unshift({ event: earlier, photos });
        break;
      }
    }
    if (visits.length < 2) note('No event before it has photos, so it stands alone.');
  }
  const total = visits.reduce((sum, { photos }) => sum + photos.length, 0);
  const { sheet, missing } = await withSpinner(
    context,
    `Reading ${pluralize(total, 'photo', 'photos')}`,
    () => readSheet(client, { car, visits, now: io.now() }),
  );
  const html = sheetHtml(sheet);
  if (missing.length > 0)
    context.warn(`The sheet lacks what the key or the server doesn't show: ${joinList(missing)}.`);
  await savePage(io, { file, html, overwrite: options.overwrite });
  const notShown = sheet.visits.flatMap(({ photos }) =>
    photos.flatMap(({ name, src }) => (src ? [] : [name])),
  );
  const shown = shortPath(io.cwd, file);
  const eventIds = visits.map(({ event }) => event.id);
  await output.value({ file, carId: car.id, eventIds, photos: total, notShown }, shown);
  if (notShown.length > 0) note(`Not shown as pictures: ${notShown.join(', ')}`);
  if (options.open && !(await openInBrowser(io, pathToFileURL(file).href)))
    note('No browser could be started here.');
}

const photosOf = async (client: Client, car: Car, { sessionId }: Event) =>
  inOrder(await gather(client.carPhotos.all(car.id, { sessionId })));

const defaultName = (car: Car, now: Date): string =>
  `${
    titleOf(car)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'car'
  }-${localTime(now.toISOString()).slice(0, 10)}.html`;

interface Chosen {
  readonly car: Car;
  readonly visits: readonly {
    readonly event: Event;
    readonly photos: readonly RecordFor<'carPhotos'>[];
  }[];
  readonly now: Date;
}

async function readSheet(
  client: Client,
  { car, visits, now }: Chosen,
): Promise<{ sheet: Sheet; missing: string[] }> {
  const [owner, types, places] = await Promise.all([
    car.customerId ? ifOpen(client.customers.get(car.customerId)) : undefined,
    ifOpen(gather(client.eventTypes.all())),
    readPlaces(client, { isExtra: true }),
  ]);
  const missing = [
    ...(car.customerId && !owner ? ['owner'] : []),
    ...(types ? [] : ['event types']),
    ...places.unread,
  ];
  const sheet = sheetOf({
    ...places,
    car,
    owner,
    types,
    now,
    timeText: (iso, zone = '') => timeInZone(zone, iso) ?? localTime(iso),
    visits: await mapParallel(visits, 1, async ({ event, photos }) => ({
      event,
      photos: await mapParallel(photos, 6, (photo) => pictureOf(client, car, photo)),
    })),
  });
  return { sheet, missing };
}

/** Small enough for a page: 500 of them are about 20 MB. */
async function pictureOf(
  client: Client,
  car: Car,
  { id, filename }: RecordFor<'carPhotos'>,
): Promise<SheetPhoto> {
  const { body } = await client.carPhotos.content(car.id, id);
  const bytes = Buffer.concat(await gather(body));
  const sharp = await loadSharp();
  const small = await sharp(bytes)
    .rotate()
    .resize({ width: 640, height: 640, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 72 })
    .toBuffer()
    .catch(() => undefined);
  return {
    name: filename ?? id,
    src: small && `data:image/jpeg;base64,${small.toString('base64')}`,
  };
}
