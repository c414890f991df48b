/** An event on a car, as `cs dropoff` and `cs pickup` log it: its flags, its type, its plan and the body that is sent. */
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { type Command, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import { resultView, type View } from '../../output/view.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { capitalized, stateWords } from '../../terminal/text.ts';
import { addPhoneFlags, addPhotoFlags, type PhoneFlags } from '../photos/flags.ts';
import type { PhotoFacts, PhotoOptions } from '../photos/photo-file.ts';
import type { AppointmentFlag } from './appointment.ts';
import type { ParkedIn } from './parked-in.ts';
import { refusal } from './refusal.ts';

export type EventType = RecordFor<'eventTypes'>;

/** Flags that the plan keeps as they are. */
interface KeptFlags extends Pick<PhotoOptions, 'keepLocation' | 'resize'> {
  readonly notes?: string;
  readonly idempotencyKey?: string;
}

export interface EventFlags extends KeptFlags, PhoneFlags {
  readonly type?: string;
  readonly at?: string;
  readonly photo?: readonly string[];
  readonly appointment?: AppointmentFlag;
  readonly offline?: boolean;
  readonly dryRun?: boolean;
}

/** An event with everything looked up and checked, before it is stored. */
export interface EventPlan extends KeptFlags {
  readonly eventType: EventType;
  /** The appointment that the event fulfils. */
  readonly appointment?: RecordFor<'appointments'>;
  /** ISO 8601 (default: now). */
  readonly at?: string;
  readonly photos: readonly PhotoFacts[];
  /** Where the car was known to be when this was queued without a server (default: where the plan has it). */
  readonly parkedIn?: ParkedIn;
}

export function addEventFlags(command: Command): Command {
  command
    .option('--notes <text>', 'free text')
    .option('--at <when>', 'time of the event (default: now)')
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

/** What the flags contribute without the server. Photos are read here, so that an unusable one fails before any prompt or lookup. */
export async function readEventFlags(
  context: Context,
  flags: EventFlags,
): Promise<Partial<EventPlan>> {
  const photos =
    flags.photo &&
    (await (await import('../photos/read.ts')).readPhotos(context, flags.photo, flags));
  const { notes, keepLocation, resize, idempotencyKey } = flags;
  return { notes, keepLocation, resize, idempotencyKey, photos };
}

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

/** The body of the request, without a place. */
export const eventValues = ({
  eventType,
  appointment,
  notes,
  at,
}: EventPlan): CreateFor<'carEvents'> => ({
  activityType: eventType.value,
  ...(appointment && { appointmentId: appointment.id }),
  ...(notes && { notes }),
  ...(at && { occurredAt: at }),
});

/** The result of `cs dropoff` and `cs pickup`. */
export const eventResultView = (what: string): View =>
  resultView(what, ['car', 'event', 'spot', 'zone', 'photos', 'sessionId', 'replayed']);
