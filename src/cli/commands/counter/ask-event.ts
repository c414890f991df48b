/** Prompts for an event, and the check of the key's scopes before them. */
import type { Client } from '../../../client/client.ts';
import { contract, type RecordFor } from '../../../contract/contract.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Question } from '../../prompts/form.ts';
import { askOption } from '../../prompts/prompts.ts';
import { gather } from '../../resources/methods.ts';
import { fieldQuestion } from '../../resources/record-form.ts';
import { sanitize } from '../../terminal/text.ts';
import { rememberTeam, sourceOf } from '../connection/origin.ts';
import { askPhotos } from '../photos/ask.ts';
import type { ActionFlags } from './action.ts';
import { askFulfilled } from './appointment.ts';
import { isUnknown, type NewCarAnswers, newCarOf } from './ask-new-car.ts';
import { type EventKind, type EventPlan, type EventType, typeName } from './event.ts';

export interface KeyScopes {
  /** Throws `missing_scope` for the first that the key lacks. */
  readonly require: (...required: Scope[]) => void;
  /** Also true where the server doesn't tell the scopes of a key. */
  readonly allow: (scope: Scope) => boolean;
}

/**
 * Reads the key's scopes once, to refuse before prompting. `what` is `drop-off` or `pick-up`.
 * A server without this endpoint refuses the request instead.
 */
export async function readScopes(context: Context, what: string): Promise<KeyScopes> {
  const client = await context.client();
  const me = await client.me.get().catch((error) => {
    if (isUnreadable(error)) return undefined;
    throw error;
  });
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

/** The active event types for cars that match, by rank and name. Fails without any. */
export async function matchingTypes(
  context: Context,
  { what, matches, rank }: Pick<EventKind, 'matches' | 'rank'> & { readonly what: string },
): Promise<EventType[]> {
  const client = await context.client();
  const types = (await readVehicleTypes(client))
    .filter(matches)
    .sort((a, b) => rank(a) - rank(b) || compareNaturally(typeName(a), typeName(b)));
  if (types.length > 0) return types;
  throw new CliError({
    code: 'not_found',
    message: `No event type for a ${what} found. Nothing was stored.`,
    hint: 'create one on the machine of the service: `cs admin event-type create`',
  });
}

/** The active event types for cars, as the server lists them. Without a scope it may be one: the server decides. One without a value can't be logged. */
export const readVehicleTypes = async (client: Client): Promise<EventType[]> =>
  (await gather(client.eventTypes.all())).filter(
    ({ scope, isActive, value }) =>
      (scope ?? 'vehicle') === 'vehicle' && isActive !== false && typeof value === 'string',
  );

export async function askType(
  context: Context,
  types: readonly EventType[],
  earlier?: EventType,
): Promise<EventType> {
  return askOption(context, {
    label: 'Event',
    ...(earlier && { first: earlier }),
    options: types.map((type) => ({
      name: sanitize(typeName(type)),
      value: type,
      about: sanitize(type.description ?? '') || undefined,
    })),
  });
}

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
  readonly usual: EventType | undefined;
  /** The types that can be chosen (default: all that match). */
  readonly isPossible?: (type: EventType) => boolean;
  readonly onType?: (type: EventType) => Promise<void>;
}

type Answers = EventPlan & NewCarAnswers & { readonly parking?: { openToday: Appointment[] } };
type Appointment = RecordFor<'appointments'>;

/** The questions of an event, that for its type first. Notes and photos aren't asked for with --yes; few pick-ups have photos. */
export function eventQuestions<A extends object>(
  context: Pick<Context, 'settings'>,
  { kind, flags, usual, isPossible = () => true, onType = async () => {} }: Asking,
): Question<A>[] {
  const { yes } = context.settings;
  const questions: Question<Answers>[] = [
    {
      name: 'eventType',
      part: 'Event',
      preset: () => usual && { answer: usual },
      async ask(asking, { earlier }) {
        const types = (await matchingTypes(asking, kind)).filter(isPossible);
        const type = await askType(asking, types, earlier);
        await onType(type);
        return type;
      },
    },
    {
      name: 'appointment',
      part: 'Fulfils',
      dependsOn: ['car', 'eventType'],
      applies: ({ car }) => !isUnknown(car),
      isOffered: ({ appointment }) => appointment !== undefined,
      ask: (asking, { answers, earlier, isCorrection }) =>
        askFulfilled(asking, {
          car: answers.car as Car,
          eventType: answers.eventType as EventType,
          flag: flags.appointment,
          earlier,
          isChange: isCorrection,
          openToday: answers.parking?.openToday,
        }),
    },
    notesQuestion<Answers>(context),
    {
      name: 'photos',
      part: 'Photos',
      preset: () => (!flags.phone && (yes || kind.what === 'pick-up') ? { answer: [] } : undefined),
      ask: (asking, { answers: { car, ...more }, earlier }) => {
        const named = isUnknown(car) ? newCarOf(more as NewCarAnswers).values : (car as Car);
        return askPhotos(asking, flags, { title: `${titleOf(named)} · ${kind.what}`, earlier });
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
