/** The questions for a car, an event type and a place without the server: a known name, or any that is typed. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { fold, holdsSearch, isSameReading, normalizeName } from '../../input/matching.ts';
import type { Question } from '../../prompts/form.ts';
import type { Option } from '../../prompts/options.ts';
import { askSearch, nameHint, recordsShown } from '../../prompts/prompts.ts';
import type { Candidate } from '../../state/names.ts';
import { capitalized, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import type { ActionFlags } from './action.ts';
import { carSearchHint } from './ask-car.ts';
import { placeHint } from './ask-place.ts';
import type { KnownNames } from './known-names.ts';
import type { Place } from './place.ts';

/** Records as far as their names tell. */
interface Records {
  readonly car: Car;
  readonly eventType: RecordFor<'eventTypes'>;
  readonly place: Place;
}

interface Known<T> extends Candidate {
  readonly record: T;
}

// The text stands for the id too where no name is known.
const toCar = ({ id, value, about }: Candidate) =>
  ({ id: id ?? value, licensePlate: value, model: about }) as unknown as Car;
const toType = ({ id, value, about }: Candidate) =>
  ({ id: id ?? value, value, name: about || null }) as unknown as RecordFor<'eventTypes'>;
const toPlace = (kind: Place['kind'], { id, value, about }: Candidate) =>
  ({ kind, record: { id: id ?? value, name: value }, within: about }) as unknown as Place;

const questions: {
  readonly [K in keyof Records]: {
    readonly label: string;
    readonly hint: string;
    readonly known: (names: KnownNames) => Known<Records[K]>[];
    readonly typed: (candidate: Candidate) => Records[K];
  };
} = {
  car: {
    label: 'Car',
    hint: carSearchHint,
    known: ({ cars }) => cars.map((one) => ({ ...one, record: toCar(one) })),
    typed: toCar,
  },
  eventType: {
    label: 'Event',
    hint: nameHint,
    known: ({ eventTypes }) =>
      eventTypes.map(({ about, ...one }) => ({
        ...one,
        value: about || capitalized(stateWords(one.value)),
        about: '',
        also: [one.value],
        record: toType({ ...one, about }),
      })),
    typed: toType,
  },
  place: {
    label: 'Place',
    hint: placeHint,
    known: ({ parkingSpots, parkingZones }) => [
      ...parkingSpots.map((one) => ({ ...one, record: toPlace('spot', one) })),
      ...parkingZones.map((one) => ({ ...one, record: toPlace('zone', one) })),
    ],
    typed: (one) => toPlace('spot', one),
  },
};

export const isNamed = ({ value, also = [], id }: Candidate, text: string): boolean =>
  id === text || [value, ...also].some((name) => isSameReading(name, text));

/** The only one that the text names. */
export function onlyNamed<K extends Candidate>(known: readonly K[], text: string): K | undefined {
  const [first, second] = known.filter((candidate) => isNamed(candidate, text));
  return second ? undefined : first;
}

const placeIn = (kind: Place['kind'], known: readonly Candidate[], text: string | undefined) =>
  text === undefined
    ? undefined
    : toPlace(kind, onlyNamed(known, text) ?? { value: text, about: '' });

/** What the flags name. A part of a known plate is a person's to complete. */
export function knownGiven(
  names: KnownNames,
  { car, type, spot, zone, location }: ActionFlags,
): { readonly [K in keyof Records]?: Records[K] | undefined } {
  const given = <K extends keyof Records>(name: K, text: string | undefined) =>
    text === undefined
      ? undefined
      : (onlyNamed(questions[name].known(names), text)?.record ??
        questions[name].typed({ value: text, about: '' }));
  const place =
    placeIn('zone', names.parkingZones, zone) ?? placeIn('spot', names.parkingSpots, spot);
  const isWhole = names.cars.some((one) => isNamed(one, car ?? ''));
  const isPart = !isWhole && names.cars.some(({ value }) => holdsSearch([value], car ?? ''));
  return {
    car: isPart ? undefined : given('car', car),
    eventType: given('eventType', type),
    place: place && location !== undefined ? { ...place, location } : place,
  };
}

export const knownType = (names: KnownNames, value: string): Records['eventType'] | undefined => {
  const known = questions.eventType.known(names).map(({ record }) => record);
  return known.length === 1 ? known[0] : known.find((type) => type.value === value);
};

interface Asking<T, Other> {
  readonly names: KnownNames;
  readonly earlier: T | Other | undefined;
  readonly initial?: string | undefined;
  /** An option for a record that isn't stored yet. */
  readonly added?: (typed: string) => Option<Other>;
}

/** Names that start with the text come first, then those that hold it. */
export const askKnown = <K extends keyof Records, Other = never>(
  context: Context,
  name: K,
  { names, earlier, initial, added }: Asking<Records[K], Other>,
): Promise<Records[K] | Other> => {
  const { label, hint, known, typed } = questions[name];
  return askSearch<Records[K] | Other>(context, {
    label,
    hint,
    ...(initial && { initial }),
    ...(earlier !== undefined && { first: earlier }),
    async find(term) {
      const starts = ({ value, also = [] }: Candidate) =>
        [value, ...also].some((text) => normalizeName(text).startsWith(normalizeName(term)));
      const found = known(names)
        .filter(({ value, about, also = [] }) => holdsSearch([value, about, ...also], term))
        .sort((one, other) => Number(starts(other)) - Number(starts(one)));
      const isListed = found.some(({ value }) => fold(value) === fold(term));
      const own = { name: `“${sanitize(term)}”, as typed`, short: term };
      const listed = found.slice(0, recordsShown(context.io));
      const width = widest(listed.map(({ value }) => sanitize(value)));
      return [
        ...listed.map(({ value, about, record }) => ({
          name: `${fill(sanitize(value), width)}  ${sanitize(about)}`.trimEnd(),
          short: sanitize([value, about].filter(Boolean).join(' · ')),
          value: record,
        })),
        ...(term === '' || isListed ? [] : [{ ...own, value: typed({ value: term, about: '' }) }]),
        ...(added ? [added(found.length === 0 ? term : '')] : []),
      ];
    },
  });
};

/** A question that needs the server: without it, the answer that it got stays. */
export const needsServer = <A extends object>(
  names: KnownNames | undefined,
  question: Question<A>,
): Question<A> =>
  names
    ? {
        ...question,
        applies: (answers: Partial<A>) => question.name in answers,
        isOffered: () => false,
        ask: async (_: Context, { earlier }: { earlier: unknown }) => earlier,
      }
    : question;
