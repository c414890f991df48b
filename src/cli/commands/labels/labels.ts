/** `cs labels`: sheets of QR codes with names, to print on labels. */
import type { Client } from '../../../client/client.ts';
import { byId, isSameId } from '../../../client/ids.ts';
import { carName, titleOf } from '../../../facility/car-names.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import { asText } from '../../../facility/sheet.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import {
  Argument,
  type CommandBuilder,
  type Input,
  Option,
  suggestRecords,
} from '../../framework/command.ts';
import { resultView } from '../../output/view.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { shortPath } from '../../terminal/text.ts';
import { ifOpen, parkedCars } from '../live/read.ts';
import { requireDashboard } from '../open/open.ts';
import { pageFile, savePage } from '../report/pdf.ts';

/** Sizes in mm. */
const sheets = {
  L7160: {
    page: [210, 297],
    columns: 3,
    rows: 7,
    label: [63.5, 38.1],
    from: [7.25, 15.15],
    gap: 2.5,
  },
  L4732: {
    page: [210, 297],
    columns: 5,
    rows: 16,
    label: [35.6, 16.9],
    from: [11, 13.3],
    gap: 2.5,
  },
  '62mm': { page: [62, 29], columns: 1, rows: 1, label: [62, 29], from: [0, 0], gap: 0 },
} as const;
type SheetName = keyof typeof sheets;
const sheetNames = Object.keys(sheets);

export const labels: CommandBuilder = (command) => {
  command
    .description(
      'Write sheets of labels with a QR code and the name in large letters: of the active spots, of the parked cars, or tags for the keys of these cars. Print them at 100 %, without margins of the printer.\n' +
        "The code of a car holds the address of its page in the dashboard of this service, that of a spot its id; on a server without a dashboard it is the car's id. No API key is part of it.",
    )
    .addArgument(new Argument('<what>', 'spots, cars or keys').choices(['spots', 'cars', 'keys']))
    .addOption(suggestRecords(new Option('--zone <id|name>', 'only in this zone'), 'parkingZones'))
    .addOption(
      new Option('--sheet <size>', 'Avery L7160 (21 a page), L4732 (80), or a 62 mm roll')
        .choices(sheetNames)
        .default('L7160'),
    )
    .option('--to <file>', 'the file: .html or .pdf (default: labels-WHAT.html)')
    .option('--overwrite', 'replace an existing file')
    .declareOutput(resultView('sheet', ['file', 'labels', 'pages', 'codes']));
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'exit 9' },
    { part: 'parkingZones.list', otherwise: 'exit 9 for spots, or with --zone' },
    { part: '`parkingSpotId` and `parkingZoneId` of cars', otherwise: 'exit 9 for cars and keys' },
    { part: 'GET /dashboard', otherwise: 'the codes of cars hold their ids' },
  );
  command.examples([
    'cs labels spots --zone "Hall A"',
    'cs labels cars --to cars.html',
    'cs labels keys --sheet 62mm',
  ]);
  command.handle(run);
};

interface Label {
  readonly name: string;
  readonly about: string;
  readonly code: string;
}

async function run(context: Context, { args: [what], options }: Input): Promise<void> {
  const { io, output } = context;
  const file = pageFile(io, options.to ?? `labels-${what}.html`);
  const client = await context.client();
  const zoneId =
    options.zone && (await resolveId(context, { resource: 'parkingZones', text: options.zone }));
  const dashboard = what === 'spots' ? undefined : await dashboardOf(client);
  const found =
    what === 'spots'
      ? await spotLabels(client, zoneId)
      : await carLabels(client, { zoneId, dashboard, isKey: what === 'keys' });
  if (found.length === 0)
    throw new CliError({
      code: 'not_found',
      message: `There are no ${what} to label${zoneId ? ' in this zone' : ''}; no file was written.`,
      hint:
        what === 'spots'
          ? '`cs parking spots list` shows them'
          : '`cs board` shows the parked cars',
    });
  found.sort((a, b) => compareNaturally(a.name, b.name));
  const sheet = sheets[options.sheet as SheetName];
  const html = await pageOf(found, sheet);
  await savePage(io, { file, html, overwrite: options.overwrite });
  const pages = Math.ceil(found.length / (sheet.columns * sheet.rows));
  const result = { file, labels: found.length, pages, codes: dashboard ? 'address' : 'id' };
  await output.value(result, shortPath(io.cwd, file));
}

/** Undefined for a server without one. */
const dashboardOf = (client: Client): Promise<string | undefined> =>
  requireDashboard(client).catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'operation_missing') return undefined;
    throw error;
  });

async function spotLabels(client: Client, zoneId?: string): Promise<Label[]> {
  const [spots, zones, locations] = await Promise.all([
    gather(client.parkingSpots.all()),
    gather(client.parkingZones.all()).then(byId),
    ifOpen(gather(client.locations.all())).then((all) => byId(all ?? [])),
  ]);
  return spots
    .filter((spot) => spot.isActive !== false && (!zoneId || isSameId(spot.zoneId, zoneId)))
    .map(({ id, name, zoneId, locationId }) => {
      const zone = zones.get(zoneId);
      const location = locations.get(locationId ?? zone?.locationId);
      const about = [zone?.name, location?.name].filter(Boolean).join(' · ');
      return { name: name ?? id, code: id, about };
    });
}

interface CarsWanted {
  readonly zoneId?: string;
  readonly dashboard: string | undefined;
  readonly isKey: boolean;
}

async function carLabels(
  client: Client,
  { zoneId, dashboard, isKey }: CarsWanted,
): Promise<Label[]> {
  const spots = await gather(client.parkingSpots.all()).then(byId);
  const cars = await parkedCars(client, 'there is nothing to label');
  return cars
    .filter(({ parkingSpotId, parkingZoneId }) => {
      const zone = spots.get(parkingSpotId)?.zoneId ?? parkingZoneId;
      return !zoneId || isSameId(zone, zoneId);
    })
    .map((car) => ({
      name: titleOf(car),
      about: `${isKey ? 'Key · ' : ''}${carName(car)}`,
      code: dashboard ? new URL(`/dashboard/cars/${car.id}`, dashboard).href : car.id,
    }));
}

async function pageOf(found: readonly Label[], sheet: (typeof sheets)[SheetName]): Promise<string> {
  const { encode } = await import('uqr');
  const { page, columns, rows, label, from, gap } = sheet;
  const [width, height] = label;
  const side = Math.min(height - 4, width * 0.45);
  const draw = ({ name, about, code }: Label) => {
    const { data } = encode(code, { ecc: 'M', border: 0 });
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    // Letters are about 0.75 as wide as they are high.
    const size = Math.min(height * 0.4, (width - side - 7) / (0.75 * [...name].length));
    return `<div><svg viewBox="0 0 ${data.length} ${data.length}" shape-rendering="crispEdges"><path d="${squares.join('')}"/></svg><p><b style="font-size:${Math.max(2.4, size).toFixed(2)}mm">${asText(name)}</b>${asText(about)}</p></div>`;
  };
  const perPage = columns * rows;
  const pages = Array.from({ length: Math.ceil(found.length / perPage) }, (_, at) =>
    found.slice(at * perPage, (at + 1) * perPage),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Labels</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
@page { size: ${page[0]}mm ${page[1]}mm; margin: 0 }
* { box-sizing: border-box; margin: 0 }
body { font: ${height < 20 ? 1.9 : 3}mm/1.2 system-ui, sans-serif; color: #000; background: #fff }
section { width: ${page[0]}mm; height: ${page[1]}mm; padding: ${from[1]}mm 0 0 ${from[0]}mm; overflow: hidden; break-after: page; display: grid; grid-template: repeat(${rows}, ${height}mm) / repeat(${columns}, ${width}mm); column-gap: ${gap}mm }
section:last-child { break-after: auto }
div { display: flex; align-items: center; gap: 2mm; padding: 2mm; overflow: hidden }
svg { flex: none; width: ${side.toFixed(2)}mm }
p { min-width: 0; overflow-wrap: anywhere }
b { display: block; line-height: 1.1 }
</style></head><body>
${pages.map((some) => `<section>${some.map(draw).join('\n')}</section>`).join('\n')}
</body></html>
`;
}
