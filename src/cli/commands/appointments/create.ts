import { appointmentStatuses } from '../../../contract/appointments.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { checkBody } from '../../resources/fields.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { pluralize } from '../../terminal/text.ts';
import { type AppointmentFlags, completeBody, missingFlags, planFromFlags } from './plan.ts';
import { addRepeatFlags, requireSameDay } from './series.ts';
import { appointmentView, noteLocationTime } from './view.ts';

export function addCreateAppointment(command: Command): void {
  const status = new Option(
    '--status <value>',
    `status (default: scheduled): ${appointmentStatuses.join(', ')}`,
  );
  status.argChoices = [...appointmentStatuses];
  command
    .implementsOperation('appointments.create')
    .declareOutput(appointmentView)
    .summary('Create an appointment or a series')
    .description(
      'Create an appointment or a series. In a terminal, prompts for missing values. The car is parked later, by the event itself.',
    )
    .addOption(
      suggestRecords(new Option('--type <type>', 'event type, such as drop_off'), 'eventTypes'),
    )
    .addOption(new Option('--no-type', 'no event type').default(undefined))
    .option('--option <id|name>', 'option of the event type')
    .option(
      '--at <when>',
      'start: "tomorrow 9:00", "2026-03-01 14:30"; without a zone in local time',
    )
    .option('--for <time>', 'duration: 45m, "1h 30m" (default: that of the type)')
    .option('--until <when>', 'end, instead of --for; 10:00 is on the day of the start')
    .onlyOneOf('for', 'until')
    .addOption(suggestRecords(new Option('--car <id|name>', 'the car'), 'cars'))
    .addOption(suggestRecords(new Option('--second-car <id|name>', 'second car'), 'cars'))
    .addOption(suggestRecords(new Option('--customer <id|name>', 'the customer'), 'customers'))
    .addOption(
      suggestRecords(
        new Option('--location <id|name>', 'the location; a series keeps its local time'),
        'locations',
      ),
    )
    .option('--title <text>', 'title on the schedule')
    .option('--notes <text>', 'free text')
    .addOption(status);
  addRepeatFlags(command);
  addCreateFlags(command.option('--input <file|-|json>', 'the record as JSON; flags override it'));
  command.nameFlags({
    appointmentTypeId: '--type',
    eventTypeId: '--type',
    eventType: '--type',
    optionId: '--option',
    startAt: '--at',
    endAt: '--until',
    carId: '--car',
    secondaryCarId: '--second-car',
    customerId: '--customer',
    locationId: '--location',
  });
  command.examples([
    'cs appointments create --type drop_off --at "tomorrow 9:00" --for 45m --car "WN AB 123"',
    'cs appointments create --type customer_visit --at "2090-06-01 14:00" --until 15:00 --customer "Ann Lee" --dry-run',
    'cs appointments create --no-type --title "Fire drill" --at "2090-06-01 8:00" --for 1h --repeat yearly --count 3',
  ]);
  const operation = operationFor('appointments', 'create');

  command.handle(async (context, { options }) => {
    const plan = await planFromFlags(context, options as AppointmentFlags);
    const missing = missingFlags(plan);
    if (missing.length > 0 && !context.interactive) throw missingInput(missing);
    const check = async (body: Record<string, unknown>, typed: string | undefined) => {
      checkBody(operation, body);
      await requireSameDay(context, body, typed);
    };
    const create = async (body: Record<string, unknown>, key?: string) =>
      (await context.client()).appointments.create(body as never, {
        idempotencyKey: options.idempotencyKey ?? key,
      });
    const isDryRun = options.dryRun === true;
    let stored: RecordFor<'appointments'> | undefined;
    let body = completeBody(plan);
    if (missing.length === 0) await check(body, plan.at);
    else
      body = await (await import('./ask.ts')).askMissing(context, plan, {
        flags: options,
        isDryRun,
        isApproved: isDryRun || context.settings.yes,
        words: ['appointments', 'create'],
        check,
        async store(approved, key) {
          stored = await create(approved, key);
        },
      });
    if (isDryRun) return context.output.request(planned(operation, [], body));
    const created = stored ?? (await create(body));
    await context.output.written(appointmentView, created, 'created');
    const isNewSeries =
      body.recurrenceFrequency !== undefined && body.recurrenceSeriesId === undefined;
    if (created.recurrenceSeriesId && isNewSeries)
      await noteSeries(context, created.recurrenceSeriesId);
    await noteLocationTime(context, created);
  });
}

/** The response is the first appointment of the series. */
async function noteSeries(context: Context, id: string): Promise<void> {
  const command = nextCommand(
    ['appointments', 'list', '--recurrence-series-id', id],
    connectionFlags(context),
  );
  const client = await context.client();
  const count = await client.appointments
    .list({ recurrenceSeriesId: id, limit: 1 }, { retries: 0 })
    .then(
      ({ total }) => total,
      // Best effort: the series is stored, and the key may lack the scope to read it.
      () => undefined,
    );
  const what =
    count === undefined
      ? 'First of a series'
      : `First of a series of ${pluralize(count, 'appointment', 'appointments')}`;
  context.note(`${what}: \`${command}\``);
}
