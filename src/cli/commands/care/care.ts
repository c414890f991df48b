/** `cs care`: recurring appointments of the stored cars, from a plan. */
import type { Context } from '../../context.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { addWriteFlags, wholeNumber } from '../../framework/flags.ts';
import { readText } from '../../input/input.ts';
import { type Row, resultView, type View } from '../../output/view.ts';
import { column } from '../../resources/view.ts';
import { sanitize } from '../../terminal/text.ts';
import { addAreaFlags } from '../live/area.ts';
import { carryOut } from '../plan-file/carry-out.ts';

export const care: CommandBuilder = (command) => {
  command
    .description(
      'Plan recurring care of the stored cars, such as a battery check each month, and list what is due.',
    )
    .examples(['cs care apply care.yaml --dry-run', 'cs care due']);
  const needs = ['appointments', 'parkingSpots', 'parkingZones', 'locations'].map((name) => ({
    part: `${name}.list`,
    otherwise: 'exit 9',
  }));
  const place = { part: 'cars.parkingSpotId', otherwise: 'exit 9' };
  const timeZone = { part: 'locations.timezone', otherwise: "times are in this machine's zone" };
  const apply = command.command('apply').summary('Plan the care of a file');
  addWriteFlags(apply)
    .description(
      'Give each stored car the series of appointments that a YAML file asks for: shows them, asks, and stores them. Each entry below care: has a type, startAt and endAt in local time at the location, the fields of a recurrence as in `cs schema appointments create` with a local date as recurrenceEndDate, and if you like title, notes and the cars that it is for.\n' +
        'A car has at most one series of a type. One that runs stays as it is; after its last appointment the next one is planned, from the next date of the entry. So the same line can run each night, and again after a failure: only what is missing is stored. Nothing is cancelled: that of a car that left is no longer due.',
    )
    .argument('<file>', 'the plan; - for stdin')
    .declareOutput(changeView)
    .needs(...needs, place, timeZone)
    .examples([
      'cs care apply care.yaml --dry-run',
      'cs care apply care.yaml --yes',
      "printf 'care:\\n  - type: inspection\\n    recurrenceFrequency: monthly\\n    startAt: 2026-12-01 09:00\\n    endAt: 2026-12-01 09:30\\n    cars: { make: Porsche }\\n' | cs care apply - --dry-run",
    ])
    .handle((context, { args: [file], options }) => run(context, file, options.dryRun === true));
  const due = command.command('due').summary('List the care that is due, and overdue');
  addAreaFlags(
    due.description(
      'List the open appointments of series of care for the stored cars, with place and owner. Overdue: not checked in by its start, or not completed by its end; of those of a car and type, the latest. Times and days are those of the location.',
    ),
  )
    .option('--days <number>', 'also of the coming days (default: 7)', wholeNumber)
    .declareOutput(dueView)
    .needs(...needs, place, timeZone)
    .examples(['cs care due --zone "Hall A"', 'cs care due --days 0 -o csv'])
    .handle(async (context, { options }) => {
      await context.output.prepare(dueView);
      const { careDue } = await import('./series.ts');
      await context.output.list({ view: dueView, records: await careDue(context, options) });
    });
};

async function run(context: Context, name: string, isDryRun: boolean): Promise<void> {
  const text = await readText(context, name, 'file');
  const { planFor } = await import('./plan.ts');
  const changes = await planFor(context, text, name);
  const unchanged = 'Nothing to store.';
  await carryOut(context, { view: changeView, changes, isDryRun, unchanged });
}

const changeView = {
  ...resultView(
    'series',
    ['change', 'type', 'car', 'carId', 'at', 'startAt', 'recurrenceFrequency', 'location', 'id'],
    'series',
  ),
  title: ({ car, type, recurrenceFrequency, at, location }: Row) =>
    sanitize(
      `+ ${[`${type} ${recurrenceFrequency} from ${at}`, car, location].filter(Boolean).join(' · ')}`,
    ),
} satisfies View;

const dueView: View = {
  ...resultView('appointment', [
    ...['state', 'at', 'type', 'car', 'carId', 'place', 'customer', 'phone', 'location', 'startAt'],
    'id',
  ]),
  columns: ['state', 'at', 'type', 'car', 'place', 'customer'].map((name) => column(name)),
  emptyHint: 'No care is due.',
};
