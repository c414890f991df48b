import type { RecordFor } from '../../../contract/contract.ts';
import { type ExitCode, usage } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { resolveId, resolveRecord } from '../../lookup/lookup.ts';
import { lookupInScope } from '../../lookup/scope.ts';
import { hasFieldColumns } from '../../output/formats.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { stylesFor } from '../../terminal/style.ts';

interface BoardFlags {
  readonly location?: string;
  /** True without a value. */
  readonly watch?: string | true;
}

const defaultSeconds = 5;

export const board: CommandBuilder = (command) => {
  command
    .description(
      'Show zones with their spots: free, or taken and by which car. Zones without spots show how full they are.\n--watch refreshes the board in full screen; press q to quit.',
    )
    .addArgument(suggestRecords(command.createArgument('[zone...]', 'ids or names of zones (default: all)'), 'parkingZones'))
    .addOption(suggestRecords(command.createOption('--location <id|name>', 'only this location'), 'locations'))
    .option('--watch [seconds]', `refresh in full screen (default: every ${defaultSeconds} seconds); put zones before this flag`);
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'exit 9' },
    { part: 'parkingZones.list', otherwise: 'exit 9' },
    { part: 'parkingSpots.occupiedByCarId', otherwise: 'the board is drawn from cars, otherwise from assignments; a spot can be unknown' },
  );
  command.examples(['cs board', 'cs board "Hall A" "Hall B" --location Harbour', 'cs board --watch 10', 'cs board -o json']);
  command.handle((context, { args: [zones], options }) => run(context, zones ?? [], options));
};

async function run(context: Context, texts: readonly string[], { location, watch }: BoardFlags): Promise<ExitCode | undefined> {
  const seconds = watch === undefined ? undefined : readSeconds(context, watch);
  const [{ boardReader }, { makeBoard }, { boardLines }] = await Promise.all([
    import('./read.ts'),
    import('./model.ts'),
    import('./render.ts'),
  ]);
  const locationId = location === undefined ? undefined : await resolveId(context, { resource: 'locations', text: location });
  const zones: RecordFor<'parkingZones'>[] = [];
  for (const text of texts) {
    const wanted = lookupInScope('parkingZones', text, { locationId, locationFlag: '--location' });
    zones.push((await resolveRecord(context, wanted)) as RecordFor<'parkingZones'>);
  }
  const zoneIds = zones.length > 0 ? new Set(zones.map(({ id }) => id)) : undefined;
  const reader = boardReader(await context.client(), { locationId });
  const { io, output, settings } = context;
  const styles = stylesFor(io, 'stdout', settings.color);
  const toAscii = asciiFallback(io);
  const draw = (zones: ReturnType<typeof makeBoard>, width: number) => boardLines(zones, { styles, width }).map(toAscii);
  if (seconds !== undefined) {
    const { watchBoard } = await import('./watch.ts');
    return watchBoard(context, { reader, seconds, draw: (records, width) => draw(makeBoard(records, zoneIds), width) });
  }
  const shown = makeBoard(await reader.refresh(io.signal), zoneIds);
  if (output.format === 'id') {
    const zones = shown.filter(({ id }) => id !== null);
    await output.styled(zones, '');
    // Ids of spots would be taken for zones by the next command.
    if (zones.length < shown.length)
      context.note(
        `Ids of zones. Spots without a zone are left out: \`${nextCommand(['parking', 'spots', 'list', '-o', 'id'], connectionFlags(context))}\``,
      );
  } else if (hasFieldColumns(output.format)) {
    const { boardRows, boardRowView } = await import('./model.ts');
    await output.list({ view: boardRowView, records: boardRows(shown) });
  } else if (shown.length > 0 || !output.forPeople) {
    const lines = output.forPeople ? draw(shown, io.columns ?? 80) : [];
    await output.styled(shown, lines.map((line) => `${line}\n`).join(''));
  } else context.note('No parking spots or zones exist yet. Create them with `cs parking zones create` and `cs parking spots create`.');
  return undefined;
}

function readSeconds({ io, output }: Context, given: string | true): number {
  if (!io.stdoutIsTerminal || !output.forPeople || io.env.TERM === 'dumb')
    throw usage(
      '--watch requires a terminal and table output.',
      'leave it out: `cs board` shows the board once, `cs board -o json` prints the records',
    );
  if (given === true) return defaultSeconds;
  if (!/^[1-9]\d{0,3}$/.test(given))
    throw usage(`--watch: "${given}" isn't a number of seconds.`, 'use a number such as --watch 10, after the zones');
  return Number(given);
}
