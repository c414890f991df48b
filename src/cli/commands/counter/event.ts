/** An event on a car, as `cs dropoff` and `cs pickup` log it: its flags, its type, its questions, its plan and what is sent. */

import type { Client } from '../../../client/client.ts';
import { contract, type RecordFor } from '../../../contract/contract.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { type Command, type Need, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTimeWithDay } from '../../input/when.ts';
import { resultView, type View } from '../../output/view.ts';
import type { Question } from '../../prompts/form.ts';
import { askOption } from '../../prompts/prompts.ts';
import { resolveRecord, shortestUniqueRef } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { fieldQuestion, isNew } from '../../resources/record-form.ts';
import { capitalized, sanitize, stateWords } from '../../terminal/text.ts';
import { rememberTeam, sourceOf } from '../connection/origin.ts';
import { askPhotos } from '../photos/ask.ts';
import { checklistOf } from '../photos/checklist.ts';
import { addPhoneFlags, addPhotoFlags, photoNeed } from '../photos/flags.ts';
import type { ActionFlags, ActionPlan, ActionRequest, Find, Shown } from './action.ts';
import { appointmentRef, askFulfilled } from './appointment.ts';
import { askKnown, knownType, needsServer } from './ask-known.ts';
import { addCarArgument, findCar, undefinedIfUnreadable } from './car.ts';
import type { KnownNames } from './known-names.ts';
import { carBody, type NewCarAnswers } from './new-car.ts';
import { type Place, placeFields, placeNeed } from './place.ts';
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

export const eventNeeds: readonly Need[] = [
  {
    part: 'carEvents.appointmentId',
    otherwise: 'the event is stored without its appointment, with a warning',
  },
  { part: 'cars.update', otherwise: "the mileage isn't stored" },
  photoNeed,
  placeNeed,
];

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
    .option('--require-photos', 'store nothing while a photo of the list is missing')
    .option(
      '--offline',
      'queue it without asking the server; the next drop-off, pick-up or move sends it, or `cs pending resume`',
    );
  command.nameFlags({ activityType: '--type', occurredAt: '--at', appointmentId: '--appointment' });
  addPhoneFlags(addPhotoFlags(command));
  command.options.find(({ long }) => long === '--no-appointment')?.default(undefined);
  return addCreateFlags(command);
}

/** Which event types a command logs. */
export interface EventKind {
  readonly what: 'drop-off' | 'pick-up';
  /** The type of a server that doesn't tell what its types do. */
  readonly value: 'drop_off' | 'pick_up';
  readonly matches: (type: EventType) => boolean;
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
    const found = await findCar(context, flags.car, !context.settings.yes);
    if (found) await checkCar(found);
    return found;
  });
  const { type, mileage } = flags;
  const eventType =
    type === undefined ? undefined : await findEventType(context, type, kind, flags.car);
  return { photos, car, eventType, ...(mileage !== undefined && { mileage }) };
}

/** The event type of --type. The service would store one that does something else. */
async function findEventType(
  context: Context,
  text: string,
  { what, matches, refusal: [code, why] }: EventKind,
  car = 'CAR',
): Promise<EventType> {
  const type = (await resolveRecord(context, { resource: 'eventTypes', text })) as EventType;
  if (matches(type)) return type;
  const log = nextCommand(
    ['cars', 'events', 'log', car, '--type', type.value],
    connectionFlags(context),
  );
  throw refusal(code, `${type.value} can't be a ${what}: ${why}.`, `log it with \`${log}\``);
}

export const typeName = ({
  name,
  value,
}: {
  readonly name?: string | null;
  readonly value: string;
}): string => name ?? capitalized(stateWords(value));

/** `Drop-off · now` or `Drop-off · Sun 2026-03-01 14:30` */
export const describeEvent = (
  { eventType, at }: Partial<EventPlan>,
  { value }: Pick<EventKind, 'value'>,
): string => [typeName(eventType ?? { value }), at ? localTimeWithDay(at) : 'now'].join(' · ');

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
  const on = { ids: [carId] };
  const body = {
    activityType: eventType.value,
    ...(parksIn && placeFields(parksIn)),
    ...(appointment && { appointmentId: appointment.id }),
    ...(notes && { notes }),
    ...(at && { occurredAt: at }),
  };
  const requests: ActionRequest[] = [
    {
      ...on,
      name: 'event',
      resource: 'carEvents',
      verb: 'create',
      body,
      ifParkedIn,
      idempotencyKey,
    },
  ];
  if (mileage !== undefined)
    requests.push({ ...on, name: 'mileage', resource: 'cars', verb: 'update', body: { mileage } });
  for (const [index, { path }] of photos.entries())
    requests.push({
      ...on,
      name: `photo-${index + 1}`,
      resource: 'carPhotos',
      verb: 'create',
      body: { sessionId: '{event.sessionId}' },
      file: { path, keepLocation, resize },
    });
  return requests;
}

interface ShownEvent {
  /** The known one. */
  readonly car: Car | undefined;
  /** What finds a new one; undefined without plate, nickname and VIN. */
  readonly newRef?: string | undefined;
  readonly name: string;
  readonly plan: Pick<EventPlan, 'appointment' | 'eventType'>;
  readonly own: Pick<Shown, 'what' | 'headline' | 'facts' | 'json' | 'place'>;
}

/** What is printed once the event is stored. */
export async function shownEvent(
  context: Context,
  { car, newRef, name, plan: { appointment, eventType }, own }: ShownEvent,
): Promise<Shown> {
  const { forPeople } = context.output;
  const ref = !car ? newRef : forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const flags = connectionFlags(context);
  const fulfilled = forPeople && appointment && (await appointmentRef(context, appointment));
  return {
    ...own,
    next: [
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], flags)] : []),
      ...(ref === undefined ? [] : [nextCommand(['cars', 'events', 'list', ref], flags)]),
    ],
    ref,
    answer: 'event',
    checklist: checklistOf(context, eventType),
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
    'missingPhotos',
    'sessionId',
    'wasParkedIn',
    'replayed',
  ]);

interface KeyScopes {
  /** Throws `missing_scope` for the first that the key lacks. */
  readonly require: (...required: Scope[]) => void;
  /** Also true where the server doesn't tell the scopes of a key. */
  readonly allow: (scope: Scope) => boolean;
}

/** Reads the key's scopes once, to refuse before prompting. `what` is `drop-off` or `pick-up`. */
export async function readScopes(context: Context, what: string): Promise<KeyScopes> {
  const client = await context.client();
  const me = await client.me.get().catch(undefinedIfUnreadable);
  rememberTeam(context.io, sourceOf(context), me?.team);
  const allow = (scope: Scope) => !me?.scopes || me.scopes.some((granted) => granted === scope);
  const require = (...required: Scope[]) => {
    const scope = required.find((one) => !allow(one));
    if (!scope) return;
    const [status, login] = ['status', 'login'].map((verb) =>
      nextCommand(['auth', verb], connectionFlags(context)),
    );
    throw new CliError({
      code: 'missing_scope',
      message: `Missing scope: ${scope}. This ${what} requires it. Nothing was stored.`,
      hint: `\`${status}\` lists your scopes, \`${login}\` signs in with another key`,
      details: { scope },
    });
  };
  return { require, allow };
}

/** The active event types for cars that match: those that do what the command is for first, then by name. Fails without any. */
export async function matchingTypes(
  context: Context,
  { what, matches, does }: Pick<EventKind, 'matches' | 'does'> & { readonly what: string },
): Promise<EventType[]> {
  const types = (await readVehicleTypes(await context.client())).filter(matches);
  const order = (type: EventType) => (does(type) ? 0 : 1);
  if (types.length > 0)
    return types.sort((a, b) => order(a) - order(b) || compareNaturally(typeName(a), typeName(b)));
  throw refusal(
    'not_found',
    `No event type for a ${what} found.`,
    'create one on the machine of the service: `cs admin event-type create`',
  );
}

/** The active event types for cars, as the server lists them. Without a scope it may be one: the server decides. */
export const readVehicleTypes = async (client: Client): Promise<EventType[]> =>
  (await gather(client.eventTypes.all())).filter(
    ({ scope, isActive }) => (scope ?? 'vehicle') === 'vehicle' && isActive !== false,
  );

export const askType = (
  context: Context,
  types: readonly EventType[],
  first?: EventType,
): Promise<EventType> =>
  askOption(context, {
    label: 'Event',
    ...(first && { first }),
    options: types.map((value) => ({
      name: sanitize(typeName(value)),
      value,
      about: sanitize(value.description ?? '') || undefined,
    })),
  });

/** The type that a person would choose: the only one, or the only one that does what the command is for. */
export function usualType(
  types: readonly EventType[],
  does: (type: EventType) => boolean | undefined,
): EventType | undefined {
  const [only, another] = types;
  if (only && !another) return only;
  const [usual, second] = types.filter((type) => does(type) === true);
  return second ? undefined : usual;
}

interface Asking {
  readonly kind: EventKind;
  readonly flags: ActionFlags;
  readonly types: readonly EventType[];
  readonly names: KnownNames | undefined;
}

type Answers = EventPlan &
  NewCarAnswers & { readonly parking?: { readonly open: RecordFor<'appointments'>[] } };

/** The questions of an event, that for its type first. Notes and photos aren't asked for with --yes; few pick-ups have photos without a list. */
export function eventQuestions<A extends object>(
  context: Pick<Context, 'settings' | 'io'>,
  { kind, flags, types, names }: Asking,
): Question<A>[] {
  const { yes } = context.settings;
  const usual = names ? knownType(names, kind.value) : usualType(types, kind.does);
  const listOf = ({ eventType }: Partial<Answers>) =>
    eventType ? checklistOf(context, eventType) : [];
  const questions: Question<Answers>[] = [
    {
      name: 'eventType',
      part: 'Event',
      // The names don't tell which one frees a place: it is looked up when it is sent.
      applies: ({ eventType }) => !names || kind.what === 'drop-off' || eventType !== undefined,
      preset: () => usual && { answer: usual },
      ask: async (asking, { earlier }) =>
        names
          ? askKnown(asking, 'eventType', { names, earlier })
          : askType(asking, await matchingTypes(asking, kind), earlier),
    },
    needsServer<Answers>(names, {
      name: 'appointment',
      part: 'Fulfils',
      dependsOn: ['car', 'eventType'],
      applies: ({ car }) => !isNew(car),
      isOffered: ({ appointment }) => appointment !== undefined,
      ask: (asking, { answers, earlier, isCorrection }) =>
        askFulfilled(asking, {
          car: answers.car as Car,
          eventType: answers.eventType as EventType,
          flag: flags.appointment,
          earlier,
          isCorrection,
          open: answers.parking?.open,
        }),
    }),
    notesQuestion<Answers>(context),
    {
      name: 'photos',
      part: 'Photos',
      preset: (answers) =>
        !flags.phone && (yes || (kind.what === 'pick-up' && listOf(answers).length === 0))
          ? { answer: [] }
          : undefined,
      ask: (asking, { answers, earlier }) => {
        const { car } = answers;
        const named = isNew(car) ? carBody(answers as NewCarAnswers) : (car as Car);
        const title = `${titleOf(named)} · ${kind.what}`;
        return askPhotos(asking, flags, { title, earlier, checklist: listOf(answers) });
      },
    },
    // Changed at the summary; nobody is asked for it.
    fieldQuestion<Answers>({
      fields: contract.cars.fields,
      name: 'mileage',
      label: 'Mileage',
      preset: () => ({ answer: undefined }),
    }),
  ];
  return questions as unknown as Question<A>[];
}

/** The question for the notes. With --yes nothing is asked. */
export const notesQuestion = <A extends { readonly notes?: string | undefined }>({
  settings,
}: Pick<Context, 'settings'>): Question<A> =>
  fieldQuestion<A>({
    fields: contract.carEvents.fields,
    name: 'notes',
    label: 'Notes',
    ...(settings.yes && { preset: () => ({ answer: undefined }) }),
  });
