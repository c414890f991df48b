import type { CallOptions } from '../../../client/client.ts';
import { IdSet } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { BoardZone } from '../../../facility/board.ts';
import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { hasFieldColumns } from '../../output/formats.ts';
import { type Row, resultView } from '../../output/view.ts';
import { resolveId, resolveRecord } from '../../resources/lookup.ts';
import { lookupInScope } from '../../resources/scope.ts';
import { carCells } from '../../resources/view.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { stylesFor } from '../../terminal/style.ts';
import { cut } from '../../terminal/width.ts';
import { facilityHere, openWorkLine } from '../counter/facility.ts';
import { readSeconds } from '../live/seconds.ts';

interface BoardFlags {
  readonly location?: string;
  /** True without a value. */
  readonly watch?: string | true;
}

export const board: CommandBuilder = (command) => {
  command
    .description(
      'Show zones with their spots: free, or taken and by which car. Zones without spots show how full they are.\n' +
        '--watch refreshes the board in full screen. Its keys d, p and m start `cs dropoff`, `cs pickup` and `cs move`, and come back.',
    )
    .addArgument(
      suggestRecords(
        command.createArgument('[zone...]', 'ids or names of zones (default: all)'),
        'parkingZones',
      ),
    )
    .addOption(
      suggestRecords(
        command.createOption('--location <id|name>', 'only this location'),
        'locations',
      ),
    )
    .option(
      '--watch [seconds]',
      'refresh in full screen (default: every 5 seconds); put zones before this flag',
    );
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'exit 9' },
    { part: 'parkingZones.list', otherwise: 'exit 9' },
    {
      part: 'cars.parkingSpotId',
      otherwise: 'places are unknown, never free',
    },
  );
  command.examples([
    'cs board',
    'cs board "Hall A" "Hall B" --location Harbour',
    'cs board --watch 10',
    'cs board -o json',
  ]);
  command.handle((context, { args: [zones], options }) => run(context, zones ?? [], options));
};

async function run(
  context: Context,
  texts: readonly string[],
  { location, watch }: BoardFlags,
): Promise<ExitCode | undefined> {
  const seconds =
    watch === undefined
      ? undefined
      : readSeconds(context, watch, {
          command: 'board',
          hint: 'use a number such as --watch 10, after the zones',
        });
  const [{ facilityReader }, { makeBoard }, { boardLines }] = await Promise.all([
    import('../live/read.ts'),
    import('../../../facility/board.ts'),
    import('./render.ts'),
  ]);
  const locationId =
    location === undefined
      ? undefined
      : await resolveId(context, { resource: 'locations', text: location });
  const zones: RecordFor<'parkingZones'>[] = [];
  for (const text of texts) {
    const wanted = lookupInScope('parkingZones', text, { locationId, locationFlag: '--location' });
    zones.push((await resolveRecord(context, wanted)) as RecordFor<'parkingZones'>);
  }
  const zoneIds = zones.length > 0 ? new IdSet(zones.map(({ id }) => id)) : undefined;
  const { io, output, settings } = context;
  const styles = await stylesFor(io, 'stdout', settings.color);
  const reader = facilityReader(await context.client(), { locationId });
  const { id: facility } = await facilityHere(context);
  const read = async (call: CallOptions) => makeBoard(await reader.board(call), zoneIds);
  if (watch !== undefined) {
    const { watchScreen } = await import('../live/screen.ts');
    return watchScreen(context, {
      name: 'the board',
      seconds: seconds ?? 5,
      async read(call) {
        const shown = await read(call);
        const left = openWorkLine(context, facility);
        return (width) => [
          ...boardLines(shown, { styles, width }),
          ...(left === undefined ? [] : ['', styles.warning(cut(left, width))]),
        ];
      },
    });
  }
  const shown = await read({ signal: io.signal });
  const left = openWorkLine(context, facility);
  if (left) context.warn(left);
  if (output.format === 'id') {
    const zones = shown.filter(({ id }) => id !== null);
    await output.styled(zones, '');
    // Ids of spots would be taken for zones by the next command.
    if (zones.length < shown.length)
      context.note(
        `Ids of zones. Spots without a zone are left out: \`${nextCommand(['parking', 'spots', 'list', '-o', 'id'], connectionFlags(context))}\``,
      );
  } else if (hasFieldColumns(output.format)) {
    await output.list({ view: rowView, records: shown.flatMap(rowsOf) });
  } else if (shown.length > 0 || !output.forPeople) {
    const lines = output.forPeople ? boardLines(shown, { styles, width: io.columns ?? 80 }) : [];
    await output.styled(shown, asciiFallback(io)(lines.map((line) => `${line}\n`).join('')));
  } else
    context.note(
      'No parking spots or zones exist yet. Create them with `cs parking zones create` and `cs parking spots create`.',
    );
  return undefined;
}

const rowView = resultView('place', [
  ...['location', 'zone', 'spot', 'kind', 'state', 'licensePlate', 'car', 'carId'],
  ...['spotId', 'zoneId', 'locationId'],
]);

/** A row for each spot, and for each car in a zone without a spot. */
function rowsOf({ id, name, location, spots, carsWithoutSpot }: BoardZone): Row[] {
  const where = { location: location.name, locationId: location.id, zone: name, zoneId: id };
  return [
    ...spots.map((spot) => ({
      ...where,
      spot: spot.name,
      spotId: spot.id,
      kind: spot.kind,
      state: spot.state,
      ...carCells(spot.car),
      carId: spot.occupiedByCarId,
    })),
    ...carsWithoutSpot.map((car) => ({ ...where, state: 'taken', ...carCells(car) })),
  ];
}
