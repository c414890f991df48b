/** The questions without a server: known names, or any name as it is typed. */

import type { Context } from '../../context.ts';
import { normalizeName } from '../../input/matching.ts';
import { localTime, parseEventTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askOption, askSearch, nameHint } from '../../prompts/prompts.ts';
import type { Candidate } from '../../state/names.ts';
import { sanitize, shortPath } from '../../terminal/text.ts';
import { notesQuestion } from '../counter/ask-event.ts';
import type { PlaceFlags } from '../counter/place.ts';
import { askPhotos } from '../photos/ask.ts';
import type { PhotoFacts } from '../photos/photo-file.ts';
import type { QueuedFlags } from './entry.ts';
import type { KnownNames } from './known-names.ts';
import type { OfflineWork } from './offline.ts';

/** Whether to go on without the server. */
export async function askToWorkOffline(context: Context, known: KnownNames): Promise<boolean> {
  context.warn(`The server can't be reached. Cars and places are known from ${known.source}.`);
  return askOption(context, {
    label: 'What now?',
    options: [
      { name: 'Work offline: it is sent when the server is back', value: true },
      { name: 'Stop', value: false },
    ],
  });
}

interface Answers {
  readonly car: string;
  readonly type: string;
  readonly place: PlaceFlags;
  readonly notes: string | undefined;
  readonly photos: readonly PhotoFacts[];
}

/** Asks for what the flags leave open, and shows what will be queued. */
export async function askOffline(
  context: Context,
  work: OfflineWork,
  flags: QueuedFlags,
  known: KnownNames,
): Promise<QueuedFlags> {
  const { yes } = context.settings;
  const asks = new Set(work.asks);
  const given = (flags.photo as string[] | undefined) ?? [];
  const questions: Question<Answers>[] = [
    {
      name: 'car',
      part: 'Car',
      ask: (asking, { earlier }) => askName(asking, 'Car', known.cars, earlier),
    },
    {
      name: 'type',
      part: 'Event',
      applies: () => asks.has('type'),
      preset: () =>
        known.eventTypes.length === 1
          ? { answer: (known.eventTypes[0] as Candidate).value }
          : undefined,
      ask: (asking, { earlier }) => askType(asking, known.eventTypes, earlier ?? work.usualType),
    },
    {
      name: 'place',
      part: 'Place',
      applies: () => asks.has('place'),
      ask: (asking, { earlier }) => askPlace(asking, known, earlier),
    },
    { ...notesQuestion<Answers>(context), applies: () => asks.has('notes') },
    {
      name: 'photos',
      part: 'Photos',
      applies: () => asks.has('photo'),
      preset: () => (!flags.phone && (yes || given.length > 0) ? { answer: [] } : undefined),
      ask: (asking, { answers: { car }, earlier }) =>
        askPhotos(asking, flags, { title: `${car} · ${work.what}`, earlier }),
    },
  ];
  const typedOf = ({ place, photos = [], ...answers }: Partial<Answers>): QueuedFlags => ({
    ...flags,
    ...(place && { spot: undefined, zone: undefined, ...place }),
    ...answers,
    photo: [...given, ...photos.map(({ path }) => path)],
    phone: undefined,
  });
  const { car, type, spot, zone, notes } = flags;
  const place = spot === undefined && zone === undefined ? undefined : { spot, zone };
  const answers = await askForm<Answers>(context, {
    questions,
    given: { car, type, place, notes } as Partial<Answers>,
    review: yes
      ? undefined
      : {
          summary: (all) => queueSummary(context, typedOf(all), known),
          question: `Queue this ${work.what}?`,
        },
  });
  return typedOf(answers);
}

function queueSummary(context: Context, typed: QueuedFlags, known: KnownNames): string {
  const { car, type, spot, zone, at, notes } = typed as Readonly<
    Record<string, string | undefined>
  >;
  const photos = (typed.photo as readonly string[]).map((path) => shortPath(context.io.cwd, path));
  return `\n${labelled(context, [
    ['Car', withAbout(String(car), known.cars)],
    ['Event', type],
    ['Place', spot === undefined ? zone : withAbout(spot, known.parkingSpots)],
    ['Time', at === undefined ? 'now' : localTime(parseEventTime(at, context.io.now(), '--at'))],
    ['Notes', notes],
    ['Photos', photos.join(', ')],
    ['Assumed', `the car and the place are as in ${known.source}; checked when it is sent`],
  ])}\n`;
}

/** With what is known of the record. */
function withAbout(typed: string, names: readonly Candidate[]): string {
  const isTyped = (name: string) => normalizeName(name) === normalizeName(typed);
  const found = names.find(({ value, also = [] }) => [value, ...also].some(isTyped));
  if (found) return nameOption({ ...found, value: typed }).name;
  return `${sanitize(typed)}${names.length > 0 ? '  (not a known name)' : ''}`;
}

const shownNames = 9;

function askName(
  context: Context,
  label: string,
  names: readonly Candidate[],
  earlier?: string,
): Promise<string> {
  return askSearch<string>(context, {
    label,
    hint: nameHint,
    ...(earlier !== undefined && { first: earlier }),
    find: async (term) => {
      const found = matching(names, normalizeName(term));
      const isListed = found.some(({ value }) => value.toLowerCase() === term.toLowerCase());
      return [
        ...found.slice(0, shownNames).map(nameOption),
        ...(term === '' || isListed ? [] : [typedOption(term)]),
      ];
    },
  });
}

/** Those with a name that starts with the term, then those that hold it anywhere. */
function matching(names: readonly Candidate[], term: string): Candidate[] {
  const starts = ({ value, also = [] }: Candidate) =>
    [value, ...also].some((name) => normalizeName(name).startsWith(term));
  const holds = ({ value, about, also = [] }: Candidate) =>
    [value, about, ...also].some((text) => normalizeName(text).includes(term));
  const first = names.filter(starts);
  return [...first, ...names.filter((candidate) => holds(candidate) && !first.includes(candidate))];
}

const nameOption = ({ value, about }: Candidate): Option<string> => ({
  name: sanitize([value, about].filter(Boolean).join('  ')),
  short: value,
  value,
});

const typedOption = (term: string): Option<string> => ({
  name: `“${sanitize(term)}”, as typed`,
  short: term,
  value: term,
});

function askType(
  context: Context,
  names: readonly Candidate[],
  first: string | undefined,
): Promise<string> {
  if (names.length === 0) return askName(context, 'Event', names, first);
  return askOption(context, {
    label: 'Event',
    options: names.map(nameOption),
    ...(first !== undefined && { first }),
  });
}

async function askPlace(
  context: Context,
  { parkingSpots, parkingZones }: KnownNames,
  earlier?: PlaceFlags,
): Promise<PlaceFlags> {
  const named = await askName(
    context,
    'Place',
    [...parkingSpots, ...parkingZones],
    earlier?.spot ?? earlier?.zone,
  );
  const isZone =
    parkingZones.some(({ value }) => value === named) &&
    !parkingSpots.some(({ value }) => value === named);
  return isZone ? { zone: named } : { spot: named };
}
