/**
 * Work without the server: the typed answers as flags, with their time. `cs pending resume` and the next command of the counter send them
 * in order. Nothing is checked by known names: the server decides.
 */

import { basename } from 'node:path';
import { NetworkError } from '../../../client/errors.ts';
import { describeCar, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { type CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { reportOf, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { fold, holdsSearch, isSameReading, normalizeName } from '../../input/matching.ts';
import { localTime, localTimeWithDay, parseEventTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askOption, askSearch, nameHint, recordsShown } from '../../prompts/prompts.ts';
import { handleCancel } from '../../prompts/run.ts';
import { idIn } from '../../resources/lookup.ts';
import { isNew, type NewRecord, newOption } from '../../resources/record-form.ts';
import type { Candidate } from '../../state/names.ts';
import { beginWork, changeWork, isSameCar, openWork, type Work } from '../../state/work.ts';
import {
  capitalized,
  joinList,
  nearest,
  sanitize,
  shortPath,
  stateWords,
} from '../../terminal/text.ts';
import { askPhotos } from '../photos/ask.ts';
import { checklistOf, requirePhotos } from '../photos/checklist.ts';
import { findPhotos } from '../photos/find.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { ActionFlags, AnyAction } from './action.ts';
import { carSearchHint } from './ask-car.ts';
import { placeHint } from './ask-place.ts';
import { notesQuestion } from './event.ts';
import { facilityHere } from './facility.ts';
import { type KnownNames, knownNames } from './known-names.ts';
import { carBody, type NewCarAnswers, newCarIn, newCarQuestions } from './new-car.ts';

/** Whether no request reaches the server, so that nothing was stored. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError &&
  !error.unknownOutcome &&
  ['connection_failed', 'connection_lost', 'timeout'].includes(error.code);

/** The error with the flag that queues the work. */
export function namesOfflineFlag({ settings, interactive }: Context, error: unknown): CliError {
  const { message, hint } = reportOf(error, { baseUrl: settings.connection().baseUrl.value });
  const flags = interactive ? 'give the car, the type and the place as flags and add' : 'add';
  const offline = `to go on without the server, ${flags} --offline`;
  return wrapFailure(error, { message, hint: [hint, offline].filter(Boolean).join('; ') });
}

/** Whether the person goes on without the server. False where no names are known to choose from. */
export async function offerOffline(context: Context): Promise<boolean> {
  const known = await knownNames(context);
  if (!known) return false;
  context.warn(`The server can't be reached. Cars and places are known from ${known.source}.`);
  return askOption(context, {
    label: 'What now?',
    options: [
      { name: 'Work offline: it is sent when the server is back', value: true },
      { name: 'Stop', value: false },
    ],
  });
}

interface Queued {
  readonly flags: ActionFlags;
  /** Questions that were answered with nothing while the server was there. */
  readonly skipped?: readonly string[];
  readonly line: string;
}

export async function queueWork(
  context: Context,
  action: AnyAction,
  { flags, skipped = [], line }: Queued,
): Promise<ExitCode | undefined> {
  const { io } = context;
  const here = await facilityHere(context);
  const names = await knownNames(context);
  const earlier = openWork(io, here.id).find((work) => work.line === line && work.flags);
  if (earlier) {
    const later = openWork(io, here.id).some(
      (work) => isSameCar(work.car, earlier.car) && work.happenedAt > earlier.happenedAt,
    );
    if (!later) return alreadyQueued(context, earlier);
    // It happened again since.
    changeWork(io, earlier.id, { line: null });
  }
  const asked = await handleCancel(context, () => ask(context, action, { flags, skipped, names }));
  if (typeof asked === 'number') return asked;
  warnOfUnknownNames(context, asked, names);
  const photo = asked.photo?.length ? await findPhotos(asked.photo, io) : [];
  if (asked.requirePhotos) {
    const eventType = asked.type === undefined ? undefined : { value: asked.type };
    const photos = photo.map((path) => ({ filename: basename(path) }));
    requirePhotos(context, { eventType, photos });
  }
  // What is said of now means another moment once it is sent.
  const at =
    asked.at === undefined ? io.now().toISOString() : parseEventTime(asked.at, io.now(), '--at');
  const { dryRun: _, offline: __, phone: ___, ...typed } = asked;
  const known = asked.car === undefined ? undefined : only(names?.cars, asked.car);
  const name = asked.newCar ? titleOf(carBody(asked.newCar)) : (known?.value ?? asked.car);
  const begun = beginWork(io, {
    command: action.command,
    what: `${action.what} of ${name}`,
    facility: here.id,
    server: here.server,
    key: here.key,
    line: flags.car === undefined ? null : line,
    happenedAt: at,
    car: known?.id ?? asked.car ?? asked.newCar?.licensePlate ?? null,
    flags: { ...typed, at, photo },
    requests: null,
    shown: null,
  });
  if ('open' in begun) return alreadyQueued(context, begun.open);
  await printQueued(context, begun.work);
  return undefined;
}

async function alreadyQueued(context: Context, work: Work): Promise<undefined> {
  const began = localTime(new Date(work.startedAt).toISOString());
  context.warn(
    work.flags
      ? `Queued already ${began}. To queue it again, give its time with --at.`
      : `Begun already ${began}, and not finished.`,
  );
  await printQueued(context, work);
}

async function printQueued(
  context: Context,
  { id, command, what, startedAt, happenedAt: at }: Work,
): Promise<void> {
  const { output, styles } = context;
  const facts = labelled(context, [
    ['Time', localTime(at)],
    ['Next', nextCommand(['pending', 'resume'], connectionFlags(context))],
    ['', 'The next drop-off, pick-up or move sends it too, once the server is back.'],
  ]);
  const title = `${styles.success('✓')} ${styles.title(sanitize(`${what}: queued, not sent`))}`;
  const queued = { id, command, what, startedAt: new Date(startedAt).toISOString(), at };
  await output.styled({ queued }, `\n${title}\n\n${facts}`);
}

interface Known extends Candidate {
  /** As people read it (default: the name, and what tells equal ones apart). */
  readonly shown?: string;
}

const isNamed = ({ value, also = [], id }: Candidate, text: string): boolean =>
  id === text || [value, ...also].some((name) => isSameReading(name, text));

/** The only one that the text names. */
function only(known: readonly Known[] = [], text: string): Known | undefined {
  const [first, second] = known.filter((candidate) => isNamed(candidate, text));
  return second ? undefined : first;
}

/** The server would refuse them later. */
function warnOfUnknownNames(
  context: Context,
  { car, spot, zone, type }: ActionFlags,
  names: KnownNames | undefined,
): void {
  const checked = [
    ['car', car, names?.cars],
    ['spot', spot, names?.parkingSpots],
    ['zone', zone, names?.parkingZones],
    ['event type', type, names?.eventTypes],
  ] as const;
  for (const [what, text, known = []] of checked) {
    if (text === undefined || idIn(text) !== undefined || known.length === 0) continue;
    if (known.some((candidate) => isNamed(candidate, text))) continue;
    const parts = known.filter(({ value, also = [] }) => holdsSearch([value, ...also], text));
    const near = nearest(
      text,
      known.map(({ value }) => value),
    );
    const meant = [...new Set([...parts.map(({ value }) => value), ...near])].slice(0, 3);
    const hint = meant.length > 0 ? ` Did you mean ${joinList(meant, 'or')}?` : '';
    context.warn(
      `No ${what} "${text}" is known from ${names?.source}. It is checked when it is sent.${hint}`,
    );
  }
}

/** What is queued of a name: the name, or the id where two have it. */
interface Named {
  readonly text: string;
  readonly shown: string;
}

interface Answers extends Omit<NewCarAnswers, 'car'> {
  readonly car: Named | NewRecord;
  readonly type: Named;
  readonly place: Named & { readonly isZone: boolean };
  readonly notes: string | undefined;
  readonly photos: readonly PhotoFacts[];
}

interface Asking {
  readonly flags: ActionFlags;
  readonly skipped: readonly string[];
  readonly names: KnownNames | undefined;
}

/** Asks for what the flags leave open, in the order and the words of the online questions. */
async function ask(
  context: Context,
  action: AnyAction,
  { flags, skipped, names }: Asking,
): Promise<ActionFlags> {
  if (!context.interactive) return flags;
  const { asks = [], usualType } = action.offline ?? {};
  const { car, newCar, type, spot, zone, notes, photo: given = [] } = flags;
  const isPlaced = spot !== undefined || zone !== undefined;
  if (!names) {
    if ((car ?? newCar) !== undefined && (isPlaced || !asks.includes('place'))) return flags;
    throw usage(
      'No names of cars and places are known on this machine.',
      'give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
  }
  const { yes } = context.settings;
  const { cars, parkingSpots, parkingZones } = names;
  const eventTypes = names.eventTypes.map((one) => ({
    ...one,
    shown: one.about || capitalized(stateWords(one.value)),
  }));
  const places = [...parkingSpots, ...parkingZones];
  const named = (known: readonly Known[], text: string): Named => {
    const found = only(known, text);
    return { text, shown: found ? optionName(found) : `${text}  (not a known name)` };
  };
  const [first, another] = eventTypes;
  const usual = another ? eventTypes.find(({ value }) => value === usualType) : first;
  const isPart = car !== undefined && !yes && cars.some(({ value }) => holdsSearch([value], car));
  const isOpen = car === undefined || (isPart && !cars.some((one) => isNamed(one, car)));
  const questions: Record<(typeof asks)[number], Question<Answers>[]> = {
    car: [
      {
        name: 'car',
        part: 'Car',
        ask: (asking, { earlier }) =>
          askName(asking, {
            ...{ label: 'Car', hint: carSearchHint, known: cars, earlier, initial: car },
            ...(action.command === 'dropoff' && { added: (typed) => newOption('car', typed) }),
          }),
      },
      ...(newCarQuestions({
        part: 'Car',
        mayAddOwner: false,
        asksOwner: false,
        onlyRequired: yes,
      }) as unknown as Question<Answers>[]),
    ],
    type: [
      {
        name: 'type',
        part: 'Event',
        preset: () => usual && { answer: named(eventTypes, usual.value) },
        ask: (asking, { earlier }) =>
          askName<never>(asking, { label: 'Event', hint: nameHint, known: eventTypes, earlier }),
      },
    ],
    place: [
      {
        name: 'place',
        part: 'Place',
        async ask(asking, { earlier }) {
          const chosen = await askName<never>(asking, {
            ...{ label: 'Place', hint: placeHint, known: places, earlier },
          });
          const isZone = !only(parkingSpots, chosen.text) && !!only(parkingZones, chosen.text);
          return { ...chosen, isZone };
        },
      },
    ],
    notes: [notesQuestion<Answers>(context)],
    photo: [
      {
        name: 'photos',
        part: 'Photos',
        preset: () =>
          !flags.phone && (yes || given.length > 0 || action.command === 'pickup')
            ? { answer: [] }
            : undefined,
        ask: (asking, { answers, earlier }) => {
          const title = `${nameOf(answers)} · ${action.what}`;
          const checklist = checklistOf(asking, { value: answers.type?.text ?? '' });
          return askPhotos(asking, flags, { title, earlier, checklist });
        },
      },
    ],
  };
  const typedOf = (answers: Partial<Answers>): ActionFlags => {
    const { car: chosen, type: event, place, photos = [] } = answers;
    return {
      ...flags,
      car: chosen && !isNew(chosen) ? chosen.text : undefined,
      newCar: newCarIn(answers as Partial<NewCarAnswers>),
      ...(event && { type: event.text }),
      ...(place && {
        spot: place.isZone ? undefined : place.text,
        zone: place.isZone ? place.text : undefined,
      }),
      notes: answers.notes,
      photo: [...given, ...photos.map(({ path }) => path)],
    };
  };
  const where = spot ?? zone;
  const answers = await askForm<Answers>(context, {
    questions: asks.flatMap((one) => questions[one]),
    correcting: {
      wrong: [],
      answers: Object.fromEntries(skipped.map((name) => [name, undefined])),
    },
    given: {
      ...newCar,
      car: newCar?.car ?? (isOpen ? undefined : named(cars, car as string)),
      type: type === undefined ? undefined : named(eventTypes, type),
      place:
        where === undefined ? undefined : { ...named(places, where), isZone: zone !== undefined },
      notes,
    } as Partial<Answers>,
    review: yes
      ? undefined
      : {
          summary: (all) => summary(context, all, { flags: typedOf(all), names }),
          question: `Queue this ${action.what}?`,
        },
  });
  return typedOf(answers);
}

const nameOf = ({ car, ...answers }: Partial<Answers>): string =>
  isNew(car) ? titleOf(carBody(answers)) : (car?.text ?? '');

function summary(
  context: Context,
  { car, type, place, notes, ...answers }: Answers,
  { flags: { at, photo = [] }, names }: { readonly flags: ActionFlags; readonly names: KnownNames },
): string {
  const time =
    at === undefined ? 'now' : localTimeWithDay(parseEventTime(at, context.io.now(), '--at'));
  return `\n${labelled(context, [
    ['Car', isNew(car) ? `${describeCar(carBody(answers))} (new)` : car.shown],
    ['Event', [type?.shown, time].filter(Boolean).join(' · ')],
    ['Place', place?.shown],
    ['Notes', notes],
    ['Photos', photo.map((path) => shortPath(context.io.cwd, path)).join(', ')],
    ['Known from', `${names.source}; checked when it is sent`],
  ])}\n`;
}

interface NameQuestion<Other> {
  readonly label: string;
  readonly hint: string;
  readonly known: readonly Known[];
  readonly earlier: Named | Other | undefined;
  readonly initial?: string | undefined;
  /** An option for a record that isn't known. */
  readonly added?: (typed: string) => Option<Other>;
}

/** A known name, those that start with the text first, or any as it is typed. */
const askName = <Other = never>(
  context: Context,
  { label, hint, known, earlier, initial, added }: NameQuestion<Other>,
): Promise<Named | Other> =>
  askSearch<Named | Other>(context, {
    label,
    hint,
    ...(initial && { initial }),
    ...(earlier !== undefined && { first: earlier }),
    async find(term) {
      const starts = ({ value, also = [] }: Candidate) =>
        [value, ...also].some((name) => normalizeName(name).startsWith(normalizeName(term)));
      const found = known
        .filter(({ value, about, also = [], shown = '' }) =>
          holdsSearch([value, about, ...also, shown], term),
        )
        .sort((one, other) => Number(starts(other)) - Number(starts(one)));
      const isListed = found.some(({ value }) => fold(value) === fold(term));
      const typed = { text: term, shown: `${term}  (not a known name)` };
      return [
        ...found
          .slice(0, recordsShown(context.io))
          .map((candidate): Option<Named> => optionOf(candidate, known)),
        ...(term === '' || isListed
          ? []
          : [{ name: `“${sanitize(term)}”, as typed`, short: term, value: typed }]),
        ...(added ? [added(found.length === 0 ? term : '')] : []),
      ];
    },
  });

const optionName = ({ value, about, shown }: Known): string =>
  sanitize(shown ?? [value, about].filter(Boolean).join('  '));

function optionOf(candidate: Known, known: readonly Known[]): Option<Named> {
  const { value, id } = candidate;
  const isShared = known.some((one) => one !== candidate && fold(one.value) === fold(value));
  const shown = optionName(candidate);
  return { name: shown, short: shown, value: { text: (isShared && id) || value, shown } };
}
