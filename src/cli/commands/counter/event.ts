/** An event on a car, as `cs dropoff` and `cs pickup` log it: its flags, its type, its plan and the body that is sent. */
import type { RecordFor } from '../../../contract/contract.ts';
import { contract } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import { resultView, type View } from '../../output/view.ts';
import type { Question } from '../../prompts/form.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { fieldQuestion } from '../../resources/record-form.ts';
import { capitalized, stateWords } from '../../terminal/text.ts';
import { addPhoneFlags, addPhotoFlags } from '../photos/flags.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { ActionFlags, ActionPlan, ActionRequest } from './action.ts';
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

export function addEventFlags(command: Command): Command {
  command
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
  addPhoneFlags(addPhotoFlags(command));
  command.options.find(({ long }) => long === '--no-appointment')?.default(undefined);
  return addCreateFlags(command);
}

/** Photos are read here, so that an unusable one fails before any prompt or lookup. */
export const photosOf = async (
  context: Context,
  flags: ActionFlags,
): Promise<PhotoFacts[] | undefined> =>
  flags.photo && (await import('../photos/read.ts')).readPhotos(context, flags.photo, flags);

/**
 * The event type of --type. The service refuses the same types, but only after all prompts,
 * and a dry run sends nothing that it could refuse.
 */
export async function findEventType(context: Context, text: string): Promise<EventType> {
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
  return type;
}

/** The hint for an event type that belongs to another command. */
export const logHint = (
  { value }: EventType,
  car: string | undefined,
  globalFlags: readonly string[],
): string =>
  `log it with \`${nextCommand(['cars', 'events', 'log', car ?? 'CAR', '--type', value], globalFlags)}\``;

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

/** Changed at the summary; nobody is asked for it. */
export const mileageQuestion = <
  A extends { readonly mileage?: number | undefined },
>(): Question<A> =>
  fieldQuestion<A>({
    fields: contract.cars.fields,
    name: 'mileage',
    label: 'Mileage',
    preset: () => ({ answer: undefined }),
  });

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
