import type { RecordFor } from '../../../contract/contract.ts';
import { type ExitCode, usage } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { resolveId, resolveRecord } from '../../lookup/lookup.ts';
import { wantedInScope } from '../../lookup/scope.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { styleFor } from '../../terminal/style.ts';

interface BoardFlags {
  readonly location?: string;
  /** True for the flag alone. */
  readonly watch?: string | true;
}

const everySeconds = 5;

export const board: CommandBuilder = (command) => {
  command
    .description(
      'Zones as a picture of their spots: free, taken and by whom. Zones without spots show how full they are.\nWith --watch the picture is kept up to date in a screen of its own; q leaves it.',
    )
    .addArgument(suggestRecords(command.createArgument('[zone...]', 'ids of zones, or their names; all unless given'), 'parkingZones'))
    .addOption(suggestRecords(command.createOption('--location <id|name>', 'only this location'), 'locations'))
    .option('--watch [seconds]', `keep it up to date, every ${everySeconds} seconds unless given; put zones before it`);
  command.examples(['cs board', 'cs board "Hall A" "Hall B" --location Harbour', 'cs board --watch 10', 'cs board -o json']);
  command.handle((context, { args: [zones], options }) => run(context, zones ?? [], options));
};

async function run(context: Context, texts: readonly string[], { location, watch }: BoardFlags): Promise<ExitCode | undefined> {
  const seconds = watch === undefined ? undefined : readSeconds(context, watch);
  const [{ boardReader }, { makeBoard }, { boardLines }] = await Promise.all([
    import('./read.ts'),
    import('./model.ts'),
    import('./picture.ts'),
  ]);
  const locationId = location === undefined ? undefined : await resolveId(context, { resource: 'locations', text: location });
  const zones: RecordFor<'parkingZones'>[] = [];
  for (const text of texts) {
    const wanted = wantedInScope('parkingZones', text, { locationId, locationFlag: '--location' });
    zones.push((await resolveRecord(context, wanted)) as RecordFor<'parkingZones'>);
  }
  const zoneIds = zones.length > 0 ? new Set(zones.map(({ id }) => id)) : undefined;
  const reader = boardReader(await context.client(), { locationId });
  const { io, output, settings } = context;
  const paint = styleFor(io, 'stdout', settings.color);
  const signs = asciiFallback(io);
  const draw = (zones: ReturnType<typeof makeBoard>, width: number) => boardLines(zones, { paint, width }).map(signs);
  if (seconds !== undefined) {
    const { watchBoard } = await import('./watch.ts');
    return watchBoard(context, { reader, seconds, draw: (records, width) => draw(makeBoard(records, zoneIds), width) });
  }
  const shown = makeBoard(await reader.refresh(io.signal), zoneIds);
  if (output.format === 'id') {
    const zones = shown.filter(({ id }) => id !== null);
    await output.painted(zones, '');
    // The picture shows them as well, and ids of spots among those of zones would be taken for zones by the next command.
    if (zones.length < shown.length)
      context.note(
        `These are the ids of zones; spots in none are left out: \`${nextCommand(['parking', 'spots', 'list', '-o', 'id'], connectionFlags(context))}\``,
      );
  } else if (output.format === 'csv' || output.format === 'tsv') {
    const { boardRows, boardRowView } = await import('./rows.ts');
    await output.list({ view: boardRowView, records: boardRows(shown) });
  } else if (shown.length > 0 || output.format !== 'table') {
    const lines = output.format === 'table' ? draw(shown, io.columns ?? 80) : [];
    await output.painted(shown, lines.map((line) => `${line}\n`).join(''));
  } else context.note('No zones and no spots. Add some with `cs parking zones create` and `cs parking spots create`.');
  return undefined;
}

/** Without a terminal nothing moves. */
function readSeconds({ io, output }: Context, given: string | true): number {
  if (!io.stdoutIsTerminal || output.format !== 'table' || io.env.TERM === 'dumb')
    throw usage(
      '--watch draws on a terminal, and this is none.',
      'leave it out: `cs board` shows the picture once, `cs board -o json` the records',
    );
  if (given === true) return everySeconds;
  if (!/^[1-9]\d{0,3}$/.test(given))
    throw usage(`--watch: "${given}" is not a number of seconds.`, 'write it like --watch 10, after the zones');
  return Number(given);
}
