import type { RecordFor } from '../../../contract/contract.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseDay } from '../../input/day.ts';
import { resolveRecord } from '../../lookup/lookup.ts';
import { asciiFallback } from '../../terminal/ascii.ts';
import { styleFor } from '../../terminal/style.ts';
import { pluralize, words } from '../../terminal/text.ts';
import { noteTimeZone } from '../counter/time-zones.ts';
import type { DayReport } from './model.ts';

interface TodayFlags {
  readonly date: string;
  readonly location?: string;
  readonly limit: string;
}

export const today: CommandBuilder = (command) => {
  command
    .description(
      'The day at a glance: arrivals, departures, what is late, cars without photos, and requests that wait for approval.\n' +
        'Late is what nobody came for after its start, or what still goes on after its end, up to seven days back. ' +
        'Without photos are cars that were dropped off that day, are still here, and have no photo in any session of the day.',
    )
    .option('--date <day>', 'today, tomorrow, yesterday or a date', 'today')
    .addOption(suggestRecords(command.createOption('--location <id|name>', 'only this location'), 'locations'))
    .option('--limit <count>', 'lines of each section on a terminal; 10 unless given', '10');
  command.examples(['cs today', 'cs today --date tomorrow --location Harbour', "cs today --jq '.arrivals | length'"]);
  command.handle((context, { options }) => run(context, options as TodayFlags));
};

async function run(context: Context, flags: TodayFlags): Promise<void> {
  const { io, output, settings } = context;
  const paint = styleFor(io, 'stdout', settings.color);
  const now = io.now();
  const day = parseDay(flags.date, now, '--date');
  const limit = Number(flags.limit);
  if (!/^[1-9]\d{0,5}$/.test(flags.limit)) throw usage(`--limit: "${flags.limit}" is not a number of lines.`, 'write it like 20');
  const [{ readDay }, { dayText }] = await Promise.all([import('./read.ts'), import('./text.ts')]);
  const { location: text } = flags;
  const location =
    text === undefined ? undefined : ((await resolveRecord(context, { resource: 'locations', text })) as RecordFor<'locations'>);
  const sites: RecordFor<'locations'>[] = location ? [location] : [];
  const report = await readDay(await context.client(), { day, now, location, locationsSeen: (seen) => void sites.push(...seen) });
  const shown = { day, limit, width: io.columns ?? 80 };
  if (output.format === 'csv' || output.format === 'tsv') {
    const { dayRows, dayRowView } = await import('./rows.ts');
    await output.list({ view: dayRowView, records: dayRows(report) });
  } else if (output.format === 'id') {
    await output.painted(visitsOf(report), '');
    tellCars(context, report);
  } else await output.painted(report, output.format === 'table' ? asciiFallback(io)(dayText({ paint }, report, shown)) : '');
  if (output.format === 'table') noteTimeZone(context, sites, day.from);
  const gap = notRead(context, report);
  if (gap) throw gap;
}

/** The appointments that are shown, each once, for a command that takes their ids. Those that are late may be of the day as well. */
function visitsOf({ arrivals, departures, other, late, waitingForApproval }: DayReport): { id: string }[] {
  const shown = [arrivals, departures, other, late, waitingForApproval].flatMap((visits) => visits ?? []);
  return [...new Set(shown.map(({ appointment }) => appointment.id))].map((id) => ({ id }));
}

/** Ids of cars among those of appointments would be taken for such by the next command. */
function tellCars(context: Context, { withoutPhotos }: DayReport): void {
  if (withoutPhotos === null || withoutPhotos.length === 0) return;
  const cars = nextCommand(['today', '--jq', '.withoutPhotos[].car.id'], connectionFlags(context));
  const left = pluralize(withoutPhotos.length, 'car without photos is', 'cars without photos are');
  context.note(`These are the ids of appointments; ${left} left out: \`${cars}\``);
}

/** The day is told as far as it may be read, and the exit code says that it is not whole. */
function notRead(context: Context, { notRead: gaps }: DayReport): CliError | undefined {
  const [gap] = gaps;
  if (!gap) return undefined;
  return new CliError({
    code: 'partial',
    message: gaps
      .map(({ sections, message }) => `Not read: ${sections.map((name) => words(name).toLowerCase()).join(', ')}. ${message}.`)
      .join(' '),
    hint: `\`${nextCommand(['auth', 'status'], connectionFlags(context))}\` shows what the key may do`,
  });
}
