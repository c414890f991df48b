/** An event on a car, as `cs dropoff` and `cs pickup` log it: its flags, its type, its plan and the body that is sent. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import { resultView, type View } from '../../output/view.ts';
import { resolveRecord, shortestUniqueRef } from '../../resources/lookup.ts';
import { capitalized, stateWords } from '../../terminal/text.ts';
import { addPhoneFlags, addPhotoFlags } from '../photos/flags.ts';
import type { ActionFlags, ActionPlan, ActionRequest, Shown } from './action.ts';
import { appointmentRef } from './appointment.ts';
import type { Find } from './ask-instead.ts';
import { addCarArgument, findCar } from './car.ts';
import { type Place, placeFields } from './place.ts';
import { refusal } from './refusal.ts';

export type EventType = RecordFor<'eventTypes'>;

/** An event with everything looked up and checked, before it is stored. */
export interface EventPlan extends ActionPlan {
  readonly eventType: EventType;
  /** Where it parks the car; undefined for a type that parks nothing. */
  readonly place?: Place | undefined;
  /** The appointment that it fulfils. */
  readonly appointment?: RecordFor<'appointments'> | undefined;
  /** What the odometer shows, stored with the car. */
  readonly mileage?: number | undefined;
}

/** The car and the type of the event come first. */
export function addEventFlags(command: Command, type: string): Command {
  addCarArgument(command)
    .addOption(suggestRecords(command.createOption('--type <type>', type), 'eventTypes'))
    .option('--notes <text>', 'free text')
    .option('--at <when>', "time of the event (default: now, by the server's clock)")
    .option('--mileage <number>', 'what the odometer shows, stored with the car', wholeNumber)
    .addOption(
      suggestRecords(
        command.createOption(
          '--appointment <id|today>',
          "the appointment it fulfils (default: none; in a terminal: today's)",
        ),
        'appointments',
      ),
    )
    .option('--no-appointment', 'fulfil no appointment')
    .option('--photo <path>', 'photo, folder or pattern; repeatable', collect)
    .option(
      '--offline',
      'queue it without asking the server; the next command that reaches the server sends it',
    );
  command.nameFlags({ activityType: '--type', occurredAt: '--at', appointmentId: '--appointment' });
  addPhoneFlags(addPhotoFlags(command));
  command.options.find(({ long }) => long === '--no-appointment')?.default(undefined);
  return addCreateFlags(command);
}

/** Which event types a command logs. */
export interface EventKind {
  /** `drop-off` */
  readonly what: 'drop-off' | 'pick-up';
  readonly matches: (type: EventType) => boolean;
  /** Lower comes first. */
  readonly rank: (type: EventType) => number;
  /** Whether it does what the command is for. Undefined where the server doesn't tell. */
  readonly does: (type: EventType) => boolean | undefined;
  /** Of a type that doesn't match. */
  readonly refusal: readonly [code: 'parking_not_allowed' | 'validation_failed', why: string];
}

interface Reading extends EventKind {
  readonly find: Find;
  /** Refuses a car that the command can't be about. */
  readonly checkCar: (car: Car) => Promise<void>;
}

/** What the flags say of the event. Photos come first, so that an unusable one fails before any prompt or look-up. */
export async function readEvent(
  context: Context,
  flags: ActionFlags,
  { find, checkCar, ...kind }: Reading,
): Promise<
  Partial<Pick<EventPlan, 'photos' | 'eventType' | 'mileage'>> & { readonly car?: Car | undefined }
> {
  const photos =
    flags.photo &&
    (await (await import('../photos/read.ts')).readPhotos(context, flags.photo, flags));
  const car = await find('car', async () => {
    const found = flags.car === undefined ? undefined : await findCar(context, flags.car);
    if (found) await checkCar(found);
    return found;
  });
  const eventType =
    flags.type === undefined
      ? undefined
      : await findEventType(context, flags.type, kind, flags.car);
  const { mileage } = flags;
  return { photos, car, eventType, ...(mileage !== undefined && { mileage }) };
}

/**
 * The event type of --type. The service refuses the same types, but only after all prompts,
 * and a dry run sends nothing that it could refuse.
 */
async function findEventType(
  context: Context,
  text: string,
  { what, matches, refusal: [code, why] }: EventKind,
  car: string | undefined,
): Promise<EventType> {
  const type = (await resolveRecord(context, { resource: 'eventTypes', text })) as EventType;
  const listCommand = (...flags: string[]) =>
    `\`${nextCommand(['event-types', 'list', ...flags], connectionFlags(context))}\``;
  if (type.isActive === false)
    throw refusal(
      'event_type_inactive',
      `The event type ${type.value} is inactive.`,
      `active types: ${listCommand('--is-active')}`,
    );
  if (typeof type.value !== 'string')
    throw new CliError({
      code: 'unexpected_answer',
      message: `The event type ${text} has no value, which the event needs. The specification has it (section 2). Nothing was stored.`,
      hint: `types with a value: ${listCommand()}`,
    });
  if (typeof type.scope === 'string' && type.scope !== 'vehicle')
    throw refusal(
      'event_type_scope_mismatch',
      `The event type ${type.value} isn't for cars: its scope is ${type.scope}.`,
      `types for cars: ${listCommand('--scope', 'vehicle')}`,
    );
  // The service would store it.
  if (!matches(type)) {
    const log = ['cars', 'events', 'log', car ?? 'CAR', '--type', type.value];
    throw refusal(
      code,
      `${type.value} can't be a ${what}: ${why}.`,
      `log it with \`${nextCommand(log, connectionFlags(context))}\``,
    );
  }
  return type;
}

export const typeName = ({ name, value }: Pick<EventType, 'name' | 'value'>): string =>
  name ?? capitalized(stateWords(value));

/** `Drop-off · now` or `Drop-off · Sun 2026-03-01 14:30` */
export const describeEvent = ({ eventType, at }: Pick<EventPlan, 'eventType' | 'at'>): string =>
  [typeName(eventType), at ? localTimeWithDay(at) : 'now'].join(' · ');

interface EventOptions {
  /** The known car, or `{car.id}`. */
  readonly carId: string;
  readonly ifParkedIn: string | undefined;
  /** The event parks the car. */
  readonly parksIn?: Place | undefined;
}

/** The event, the mileage of its car, and its photos. */
export function eventRequests(
  { eventType, appointment, notes, at, mileage, idempotencyKey, ...plan }: EventPlan,
  { carId, ifParkedIn, parksIn }: EventOptions,
): ActionRequest[] {
  const { photos = [], keepLocation, resize } = plan;
  const body = {
    activityType: eventType.value,
    ...(parksIn && placeFields(parksIn)),
    ...(appointment && { appointmentId: appointment.id }),
    ...(notes && { notes }),
    ...(at && { occurredAt: at }),
  };
  return [
    {
      name: 'event',
      resource: 'carEvents',
      verb: 'create',
      ids: [carId],
      body,
      ifParkedIn,
      idempotencyKey,
    },
    ...(mileage === undefined
      ? []
      : [
          {
            name: 'mileage',
            resource: 'cars',
            verb: 'update',
            ids: [carId],
            body: { mileage },
          } as const,
        ]),
    ...photos.map(
      ({ path }, index): ActionRequest => ({
        name: `photo-${index + 1}`,
        resource: 'carPhotos',
        verb: 'create',
        ids: [carId],
        body: { sessionId: '{event.sessionId}' },
        file: { path, keepLocation, resize },
      }),
    ),
  ];
}

type OwnShown = Pick<Shown, 'what' | 'headline' | 'facts' | 'json' | 'place'>;

/** What is printed once the event is stored. `car`: the known one. */
export async function shownEvent(
  context: Context,
  {
    car,
    name,
    appointment,
    own,
  }: {
    readonly car: Car | undefined;
    readonly name: string;
    readonly appointment: EventPlan['appointment'];
    readonly own: OwnShown;
  },
): Promise<Shown> {
  const { forPeople } = context.output;
  const ref = !car ? name : forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const flags = connectionFlags(context);
  const fulfilled = forPeople && appointment && (await appointmentRef(context, appointment));
  return {
    ...own,
    next: [
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], flags)] : []),
      nextCommand(['cars', 'events', 'list', ref], flags),
    ],
    ref,
    answer: 'event',
    name,
    ...(car && { car }),
    ...(appointment && { appointmentId: appointment.id }),
  };
}

/** The result of `cs dropoff` and `cs pickup`. */
export const eventResultView = (what: string): View =>
  resultView(what, [
    'car',
    'event',
    'spot',
    'zone',
    'photos',
    'sessionId',
    'wasParkedIn',
    'replayed',
  ]);
