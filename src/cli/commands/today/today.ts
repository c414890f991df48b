import type { CallOptions } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { visitsIn } from '../../../facility/day.ts';
import type { Context } from '../../context.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { type CommandBuilder, suggestRecords } from '../../framework/command.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type Day, parseDay } from '../../input/day.ts';
import { hasFieldColumns } from '../../output/formats.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { stylesFor } from '../../terminal/style.ts';
import { pluralize, sanitize, words } from '../../terminal/text.ts';
import { cut } from '../../terminal/width.ts';
import type { EventType } from '../counter/event.ts';
import { facilityHere, openWorkLine } from '../counter/facility.ts';
import { timeZoneNote } from '../counter/time-zones.ts';
import { readSeconds } from '../live/seconds.ts';
import { checklistOf } from '../photos/checklist.ts';
import type { DayReport } from './shape.ts';

interface TodayFlags {
  readonly date: string;
  readonly location?: string;
  /** True without a value. */
  readonly watch?: string | true;
}

export const today: CommandBuilder = (command) => {
  command
    .description(
      'Arrivals, departures, late appointments, cars that came without an appointment or lack photos, and requests that wait for approval.\n' +
        'Late: not checked in by its start, or not completed by its end, up to seven days back. ' +
        'Photos missing: dropped off on the day, still here, and no photo in any session of the day, or not all of the list of the event type.\n' +
        '--watch refreshes the day in full screen. Its keys d, p and m start `cs dropoff`, `cs pickup` and `cs move`, and come back.',
    )
    .option('--date <day>', 'today, tomorrow, yesterday or a date (default: today)', 'today')
    .addOption(
      suggestRecords(
        command.createOption('--location <id|name>', 'only this location'),
        'locations',
      ),
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
  const styles = await stylesFor(io, 'stdout', settings.color);
  const day = parseDay(flags.date, io.now(), '--date');
  const { watch } = flags;
  const seconds =
    watch === undefined
      ? undefined
      : readSeconds(context, watch, { command: 'today', hint: 'use a number such as --watch 10' });
  const [{ facilityReader }, { dayLines }, { reportOf }] = await Promise.all([
    import('../live/read.ts'),
    import('./draw.ts'),
    import('./report.ts'),
  ]);
  const location =
    flags.location === undefined
      ? undefined
      : ((await resolveRecord(context, {
          resource: 'locations',
          text: flags.location,
        })) as RecordFor<'locations'>);
  const reader = facilityReader(await context.client());
  const { id: facility } = await facilityHere(context);
  /** With the note about other time zones. */
  const read = async (day: Day, call: CallOptions) => {
    const asked = {
      day,
      now: io.now(),
      locationId: location?.id,
      checklistOf: (type: EventType) => checklistOf(context, type),
    };
    const { day: found, gaps } = await reader.day(asked, call);
    const report = reportOf(found, gaps, { day, location });
    const sites = [location, ...visitsIn(found).map((visit) => visit.location)];
    const note = timeZoneNote(
      sites.filter((site) => site !== undefined),
      day.from,
    );
    const lines = (width: number) =>
      dayLines(found, { day, location, notRead: report.notRead, styles, width });
    return { report, note, lines };
  };
  if (watch !== undefined) {
    const { watchScreen } = await import('../live/screen.ts');
    return watchScreen(context, {
      name: 'today',
      seconds: seconds ?? 15,
      async read(call) {
        // As typed, so that `today` is another day after midnight.
        const { note, lines } = await read(parseDay(flags.date, io.now(), '--date'), call);
        const left = openWorkLine(context, facility);
        return (width) => [
          ...lines(width),
          ...(note === undefined ? [] : ['', styles.dim(cut(sanitize(note), width))]),
          ...(left === undefined ? [] : ['', styles.warning(cut(left, width))]),
        ];
      },
    });
  }
  const { report, note, lines } = await read(day, { signal: io.signal });
  if (hasFieldColumns(output.format)) {
    const { rowsOf, rowView } = await import('./report.ts');
    await output.list({ view: rowView, records: rowsOf(report) });
  } else if (output.format === 'id') {
    await output.styled(visitIdsOf(report), '');
    noteCars(context, report);
  } else {
    const shown = output.forPeople ? lines(io.columns ?? 80) : [];
    await output.styled(report, shown.map((line) => `${line}\n`).join(''));
  }
  if (output.forPeople && note !== undefined) context.note(note);
  const left = openWorkLine(context, facility);
  if (left) context.warn(left);
  const failure = incompleteReport(context, report);
  if (failure) throw failure;
  return undefined;
}

/** The ids of all shown appointments, without duplicates: a late one can also be of the day. */
function visitIdsOf(report: DayReport): { id: string }[] {
  const { arrivals, departures, other, late, waitingForApproval } = report;
  const ids = [arrivals, departures, other, late, waitingForApproval].flatMap(
    (visits) => visits?.map(({ appointment }) => appointment.id) ?? [],
  );
  return [...new Set(ids)].map((id) => ({ id }));
}

/** Ids of cars would be taken for appointments by the next command. */
function noteCars(context: Context, { walkIns, withoutPhotos }: DayReport): void {
  const cars = new Set([...(walkIns ?? []), ...(withoutPhotos ?? [])].map(({ car }) => car.id));
  if (cars.size === 0) return;
  const command = nextCommand(
    ['today', '--jq', '[.walkIns[], .withoutPhotos[]][].car.id'],
    connectionFlags(context),
  );
  const came = pluralize(cars.size, 'car that came', 'cars that came');
  context.note(`Ids of appointments. Left out: ${came}, see \`${command}\``);
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
