import { appointmentStatuses } from '../../../contract/appointments.ts';
import { checkBody } from '../../crud/fields.ts';
import { operationFor, planned } from '../../crud/operation.ts';
import { type Command, Option, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { pluralize } from '../../terminal/text.ts';
import { type AppointmentFlags, completeBody, missingFlags, planFromFlags } from './plan.ts';
import { addRepeatFlags } from './repeat.ts';
import { appointmentView } from './view.ts';
import { requireSameDay, tellZoneOf } from './zone.ts';

export function addCreateAppointment(command: Command): void {
  const status = new Option('--status <value>', `the state: ${appointmentStatuses.join(', ')}; scheduled unless given`);
  status.argChoices = [...appointmentStatuses];
  command
    .implementsOperation('appointments.create')
    .declareOutput(appointmentView)
    .summary('Make an appointment, or a series of them')
    .description(
      'Make an appointment, or a series of them. On a terminal, what is missing is asked for. A car is parked only when the event is performed.',
    )
    .addOption(suggestRecords(new Option('--type <type>', 'event type, such as drop_off'), 'eventTypes'))
    .addOption(new Option('--no-type', 'an appointment without an event type').default(undefined))
    .option('--option <id|name>', 'variant of the event type')
    .option('--at <when>', 'when it begins: "tomorrow 9:00", "2026-03-01 14:30"; without a zone as on this machine')
    .option('--for <time>', 'how long it takes: 45m, "1h 30m"; as its type says unless given')
    .option('--until <when>', 'when it ends, instead of --for; 10:00 is on the day it begins')
    .addOption(suggestRecords(new Option('--car <id|name>', 'the car'), 'cars'))
    .addOption(suggestRecords(new Option('--second-car <id|name>', 'another car that takes part'), 'cars'))
    .addOption(suggestRecords(new Option('--customer <id|name>', 'the customer'), 'customers'))
    .addOption(suggestRecords(new Option('--location <id|name>', 'where it takes place; a series keeps the wall time there'), 'locations'))
    .option('--title <text>', 'what it is called on the schedule')
    .option('--notes <text>', 'free text')
    .addOption(status);
  addRepeatFlags(command);
  addCreateFlags(command.option('--input <json|@file|->', 'the record as JSON; flags win over it'));
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
    const lacking = missingFlags(plan);
    if (lacking.length > 0 && !context.interactive) throw missingInput(lacking);
    if (lacking.length > 0) await (await import('./ask.ts')).askForRest(context, plan);
    const body = completeBody(plan);
    checkBody(operation, body);
    await requireSameDay(context, body, plan.at);
    if (options.dryRun) return context.output.request(planned(operation, [], body));
    const client = await context.client();
    const made = await client.appointments.create(body as never, { idempotencyKey: options.idempotencyKey });
    await context.output.written(appointmentView, made, 'created');
    const expanded = body.recurrenceFrequency !== undefined && body.recurrenceSeriesId === undefined;
    if (made.recurrenceSeriesId && expanded) await tellSeries(context, made.recurrenceSeriesId);
    await tellZoneOf(context, made);
  });
}

/** The answer is the first of a series; how many there are is told beside it. */
async function tellSeries(context: Context, id: string): Promise<void> {
  const command = nextCommand(['appointments', 'list', '--recurrence-series-id', id], connectionFlags(context));
  const client = await context.client();
  const count = await client.appointments.list({ recurrenceSeriesId: id, limit: 1 }, { retries: 0 }).then(
    ({ total }) => total,
    // The series stands. Who may not read appointments cannot be told how many.
    () => undefined,
  );
  const what =
    count === undefined
      ? 'It is the first of a series'
      : `It is the first of a series of ${pluralize(count, 'appointment', 'appointments')}`;
  context.note(`${what}: \`${command}\``);
}
