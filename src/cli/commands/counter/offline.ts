/**
 * Work without the server: the typed answers as flags, with their time. `cs pending resume` and the next command that reaches the server
 * send them in order. Nothing is checked by cached names: the server decides.
 */

import { NetworkError } from '../../../client/errors.ts';
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
import type { Candidate } from '../../state/names.ts';
import { beginWork, changeWork, openWork, type Work } from '../../state/work.ts';
import { joinList, nearest, sanitize, shortPath } from '../../terminal/text.ts';
import { askPhotos } from '../photos/ask.ts';
import { findPhotos } from '../photos/find.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { ActionFlags, AnyAction } from './action.ts';
import { carSearchHint } from './ask-car.ts';
import { placeHint } from './ask-place.ts';
import { notesQuestion } from './event.ts';
import { facilityHere } from './facility.ts';
import { isSameCar } from './finish.ts';
import { type KnownNames, knownNames } from './known-names.ts';
import type { PlaceFlags } from './place.ts';

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
  readonly line: string;
}

export async function queueWork(
  context: Context,
  action: AnyAction,
  { flags, line }: Queued,
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
  const asked = await handleCancel(context, () => ask(context, action, { flags, names }));
  if (typeof asked === 'number') return asked;
  warnOfUnknownNames(context, asked, names);
  const photo = asked.photo?.length ? await findPhotos(asked.photo, io) : [];
  // What is said of now means another moment once it is sent.
  const at =
    asked.at === undefined ? io.now().toISOString() : parseEventTime(asked.at, io.now(), '--at');
  const { dryRun: _, offline: __, phone: ___, ...typed } = asked;
  const begun = beginWork(io, {
    command: action.command,
    what: `${action.what} of ${asked.car}`,
    facility: here.id,
    server: here.server,
    key: here.key,
    line: flags.car === undefined ? null : line,
    happenedAt: at,
    car: knownId(names, asked.car as string) ?? (asked.car as string),
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

function knownId(names: KnownNames | undefined, text: string): string | undefined {
  const found = (names?.cars ?? []).filter((candidate) => isNamed(candidate, text));
  const ids = new Set(found.map(({ record }) => record?.id as string | undefined));
  return ids.size === 1 ? [...ids][0] : undefined;
}

const isNamed = ({ value, also = [], record }: Candidate, text: string): boolean =>
  record?.id === text || [value, ...also].some((name) => isSameReading(name, text));

/** The server would refuse them later. */
function warnOfUnknownNames(
  context: Context,
  { spot, zone, type }: ActionFlags,
  names: KnownNames | undefined,
): void {
  const checked = [
    ['spot', spot, names?.parkingSpots],
    ['zone', zone, names?.parkingZones],
    ['event type', type, names?.eventTypes],
  ] as const;
  for (const [what, text, known = []] of checked) {
    if (text === undefined || idIn(text) !== undefined || known.length === 0) continue;
    if (known.some((candidate) => isNamed(candidate, text))) continue;
    const near = nearest(
      text,
      known.map(({ value }) => value),
    ).slice(0, 3);
    const meant = near.length > 0 ? ` Did you mean ${joinList(near, 'or')}?` : '';
    context.warn(
      `No ${what} "${text}" is known from ${names?.source}. It is checked when it is sent.${meant}`,
    );
  }
}

interface Answers {
  readonly car: string;
  readonly type: string;
  readonly place: PlaceFlags;
  readonly notes: string | undefined;
  readonly photos: readonly PhotoFacts[];
}

interface Asking {
  readonly flags: ActionFlags;
  readonly names: KnownNames | undefined;
}

/** Asks for what the flags leave open, in the order and the words of the online questions. */
async function ask(
  context: Context,
  action: AnyAction,
  { flags, names }: Asking,
): Promise<ActionFlags> {
  if (!context.interactive) return flags;
  const { asks = [], usualType } = action.offline ?? {};
  const { car, type, spot, zone, notes, photo: given = [] } = flags;
  const isPlaced = spot !== undefined || zone !== undefined;
  if (!names) {
    if (car !== undefined && (isPlaced || !asks.includes('place'))) return flags;
    throw usage(
      'No names of cars and places are known on this machine.',
      'give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
  }
  const { yes } = context.settings;
  const { cars, eventTypes, parkingSpots, parkingZones } = names;
  const [only, another] = eventTypes;
  const usual = another ? eventTypes.find(({ value }) => value === usualType) : only;
  const isSpot = (name: string) => parkingSpots.some(({ value }) => value === name);
  const isZone = (name: string) => parkingZones.some(({ value }) => value === name);
  const questions: Record<(typeof asks)[number], Question<Answers>> = {
    car: {
      name: 'car',
      part: 'Car',
      ask: (asking, { earlier }) =>
        askName(asking, { label: 'Car', hint: carSearchHint, names: cars, earlier }),
    },
    type: {
      name: 'type',
      part: 'Event',
      preset: () => usual && { answer: usual.value },
      ask: (asking, { earlier }) =>
        askName(asking, { label: 'Event', hint: nameHint, names: eventTypes, earlier }),
    },
    place: {
      name: 'place',
      part: 'Place',
      async ask(asking, { earlier }) {
        const named = await askName(asking, {
          label: 'Place',
          hint: placeHint,
          names: [...parkingSpots, ...parkingZones],
          earlier: earlier?.spot ?? earlier?.zone,
        });
        return isZone(named) && !isSpot(named) ? { zone: named } : { spot: named };
      },
    },
    notes: notesQuestion<Answers>(context),
    photo: {
      name: 'photos',
      part: 'Photos',
      preset: () =>
        !flags.phone && (yes || given.length > 0 || action.command === 'pickup')
          ? { answer: [] }
          : undefined,
      ask: (asking, { answers, earlier }) =>
        askPhotos(asking, flags, { title: `${answers.car} · ${action.what}`, earlier }),
    },
  };
  const typedOf = ({ place, photos = [], ...answers }: Partial<Answers>): ActionFlags => ({
    ...flags,
    ...(place && { spot: undefined, zone: undefined, ...place }),
    ...answers,
    photo: [...given, ...photos.map(({ path }) => path)],
  });
  const place = isPlaced ? { spot, zone } : undefined;
  const answers = await askForm<Answers>(context, {
    questions: asks.map((one) => questions[one]),
    given: { car, type, place, notes } as Partial<Answers>,
    review: yes
      ? undefined
      : {
          summary: (all) => summary(context, typedOf(all), names),
          question: `Queue this ${action.what}?`,
        },
  });
  return typedOf(answers);
}

function summary(context: Context, typed: ActionFlags, names: KnownNames): string {
  const { car, type, spot, zone, at, notes, photo = [] } = typed;
  const time =
    at === undefined ? 'now' : localTimeWithDay(parseEventTime(at, context.io.now(), '--at'));
  return `\n${labelled(context, [
    ['Car', withAbout(String(car), names.cars)],
    ['Event', [type, time].filter(Boolean).join(' · ')],
    ['Place', spot === undefined ? zone : withAbout(spot, names.parkingSpots)],
    ['Notes', notes],
    ['Photos', photo.map((path) => shortPath(context.io.cwd, path)).join(', ')],
    ['Known from', `${names.source}; checked when it is sent`],
  ])}\n`;
}

/** With what is known of the record. */
function withAbout(typed: string, names: readonly Candidate[]): string {
  const found = names.find((candidate) => isNamed(candidate, typed));
  return found ? nameOption({ ...found, value: typed }).name : `${typed}  (not a known name)`;
}

interface NameQuestion {
  readonly label: string;
  readonly hint: string;
  readonly names: readonly Candidate[];
  readonly earlier: string | undefined;
}

/** A known name, those that start with the text first, or any as it is typed. */
const askName = (
  context: Context,
  { label, hint, names, earlier }: NameQuestion,
): Promise<string> =>
  askSearch<string>(context, {
    label,
    hint,
    ...(earlier !== undefined && { first: earlier }),
    async find(term) {
      const starts = ({ value, also = [] }: Candidate) =>
        [value, ...also].some((name) => normalizeName(name).startsWith(normalizeName(term)));
      const found = names
        .filter(({ value, about, also = [] }) => holdsSearch([value, about, ...also], term))
        .sort((one, other) => Number(starts(other)) - Number(starts(one)));
      const isListed = found.some(({ value }) => fold(value) === fold(term));
      const typed = { name: `“${sanitize(term)}”, as typed`, short: term, value: term };
      return [
        ...found.slice(0, recordsShown(context.io)).map(nameOption),
        ...(term === '' || isListed ? [] : [typed]),
      ];
    },
  });

const nameOption = ({ value, about }: Candidate): Option<string> => ({
  name: sanitize([value, about].filter(Boolean).join('  ')),
  short: value,
  value,
});
