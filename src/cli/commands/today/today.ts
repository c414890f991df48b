import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseDay } from '../../input/day.ts';
import { hasFieldColumns } from '../../output/formats.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { stylesFor } from '../../terminal/style.ts';
import { pluralize, words } from '../../terminal/text.ts';
import { noteTimeZone } from '../counter/time-zones.ts';
import { readSeconds } from '../live/seconds.ts';
import type { DayReport } from './shape.ts';

interface TodayFlags {
  readonly date: string;
  readonly location?: string;
  readonly limit?: string;
  /** True without a value. */
  readonly watch?: string | true;
}

const defaultLimit = 10;

export const today: CommandBuilder = (command) => {
  command
    .description(
      'Arrivals, departures, late appointments, cars without photos, and requests that wait for approval.\n' +
        'Late: not checked in by its start, or not completed by its end, up to seven days back. ' +
        'Without photos: dropped off on the day, still here, and no photo in any session of the day.\n' +
        '--watch refreshes the day in full screen. Its keys choose a car and start its drop-off, pick-up or move, or `cs board`.',
    )
    .option('--date <day>', 'today, tomorrow, yesterday or a date (default: today)', 'today')
    .addOption(
      suggestRecords(
        command.createOption('--location <id|name>', 'only this location'),
        'locations',
      ),
    )
    .option(
      '--limit <count>',
      `maximum lines of each section in a terminal (default: ${defaultLimit}, all with --watch)`,
    )
    .option('--watch [seconds]', 'refresh in full screen (default: every 15 seconds)');
  command.needs(
    { part: 'appointments.list', otherwise: 'exit 9' },
    {
      part: 'eventSessions.list',
      otherwise: "the rest is shown, with a note of what couldn't be read (exit 11)",
    },
  );
  command.examples([
    'cs today',
    'cs today --date tomorrow --location Harbour',
    'cs today --watch',
    "cs today --jq '.arrivals | length'",
  ]);
  command.handle((context, { options }) => run(context, options as TodayFlags));
};

async function run(context: Context, flags: TodayFlags): Promise<ExitCode | undefined> {
  const { io, output, settings } = context;
  const styles = stylesFor(io, 'stdout', settings.color);
  const now = io.now();
  const day = parseDay(flags.date, now, '--date');
  const limit = flags.limit === undefined ? undefined : readLimit(flags.limit);
  const { watch } = flags;
  const seconds =
    watch === undefined
      ? undefined
      : readSeconds(context, watch, { command: 'today', hint: 'use a number such as --watch 10' });
  const [{ readDay }, { dayText }] = await Promise.all([import('./read.ts'), import('./text.ts')]);
  const { location: text } = flags;
  const location =
    text === undefined
      ? undefined
      : ((await resolveRecord(context, { resource: 'locations', text })) as RecordFor<'locations'>);
  if (watch !== undefined) {
    const [{ watchLive }, { liveViews }] = await Promise.all([
      import('../live/live.ts'),
      import('../live/views.ts'),
    ]);
    return watchLive(
      context,
      'today',
      liveViews(context, { locationId: location?.id, date: flags.date, limit, seconds }),
    );
  }
  const sites: RecordFor<'locations'>[] = location ? [location] : [];
  const report = await readDay(await context.client(), {
    day,
    now,
    location,
    onLocations: (locations) => void sites.push(...locations),
  });
  const shown = { day, limit: limit ?? defaultLimit, width: io.columns ?? 80 };
  if (hasFieldColumns(output.format)) {
    const { dayRows, dayRowView } = await import('./model.ts');
    await output.list({ view: dayRowView, records: dayRows(report) });
  } else if (output.format === 'id') {
    await output.styled(visitsOf(report), '');
    noteCars(context, report);
  } else await output.styled(report, output.forPeople ? dayText({ styles }, report, shown) : '');
  if (output.forPeople) noteTimeZone(context, sites, day.from);
  const failure = incompleteReport(context, report);
  if (failure) throw failure;
  return undefined;
}

function readLimit(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw usage(`--limit: "${given}" isn't a number of lines.`, 'use a number such as 20');
  return Number(given);
}

/** The ids of all shown appointments, without duplicates: a late one can also be of the day. */
function visitsOf({
  arrivals,
  departures,
  other,
  late,
  waitingForApproval,
}: DayReport): { id: string }[] {
  const shown = [arrivals, departures, other, late, waitingForApproval].flatMap(
    (visits) => visits ?? [],
  );
  return [...new Set(shown.map(({ appointment }) => appointment.id))].map((id) => ({ id }));
}

/** Ids of cars would be taken for appointments by the next command. */
function noteCars(context: Context, { withoutPhotos }: DayReport): void {
  if (withoutPhotos === null || withoutPhotos.length === 0) return;
  const command = nextCommand(
    ['today', '--jq', '.withoutPhotos[].car.id'],
    connectionFlags(context),
  );
  const cars = pluralize(withoutPhotos.length, 'car without photos', 'cars without photos');
  context.note(`Ids of appointments. Left out: ${cars}, see \`${command}\``);
}

/** Exit 11 after the sections that could be read were printed. */
function incompleteReport(context: Context, { notRead: gaps }: DayReport): CliError | undefined {
  const [gap] = gaps;
  if (!gap) return undefined;
  return new CliError({
    code: 'partial',
    message: gaps
      .map(
        ({ sections, message }) =>
          `Couldn't read ${sections.map((name) => words(name).toLowerCase()).join(', ')}: ${message}.`,
      )
      .join(' '),
    hint:
      gap.code === 'missing_scope'
        ? `\`${nextCommand(['auth', 'status'], connectionFlags(context))}\` lists the key's scopes`
        : 'the other sections are complete',
  });
}
