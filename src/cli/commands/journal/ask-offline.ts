/** The questions without a server: known names, or any name as it is typed. */
import type { Candidate } from '../../framework/completion/complete.ts';
import type { Context } from '../../framework/context.ts';
import { localTime, parsePast } from '../../input/when.ts';
import { normalizeName } from '../../lookup/matching.ts';
import { labelled } from '../../output/labelled.ts';
import { confirmPlan } from '../../prompts/confirm.ts';
import { askOption, askSearch, type Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { askNotes } from '../counter/ask-event.ts';
import { askPhotos } from '../photos/ask.ts';
import type { TypedFlags } from './entry.ts';
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

/** Asks for what the flags leave open, and shows what will be queued. */
export async function askOffline(context: Context, work: OfflineWork, flags: TypedFlags, known: KnownNames): Promise<TypedFlags> {
  const asks = new Set(work.asks);
  const car = flags.car ?? (await askName(context, 'Car', known.cars));
  const type = flags.type ?? (asks.has('type') ? await askType(context, known.eventTypes, work.usualType) : undefined);
  const place = flags.spot !== undefined || flags.zone !== undefined || !asks.has('place') ? {} : await askPlace(context, known);
  const notes = flags.notes ?? (asks.has('notes') && !context.settings.yes ? await askNotes(context) : undefined);
  const isAsked = asks.has('photo') && !context.settings.yes;
  const photo = await photoPaths(context, { flags, isAsked, title: `${car} · ${work.what}` });
  const given: TypedFlags = { ...flags, ...place, car, type, notes, photo, phone: undefined };
  if (context.settings.yes) return given;
  const facts = labelled(context, [
    ['Car', withAbout(String(car), known.cars)],
    ['Event', type as string | undefined],
    ['Place', (given.spot !== undefined ? withAbout(String(given.spot), known.parkingSpots) : given.zone) as string | undefined],
    ['Time', typeof flags.at === 'string' ? localTime(parsePast(flags.at, context.io.now(), '--at')) : 'now'],
    ['Notes', notes as string | undefined],
    ['Assumed', `the car and the place are as in ${known.source}; checked when it is sent`],
  ]);
  context.io.stderr.write(`\n${facts}\n`);
  await confirmPlan(context, `Queue this ${work.what}?`);
  return given;
}

/** Those of the flags, then those of a phone or of the question. */
async function photoPaths(
  context: Context,
  { flags, isAsked, title }: { readonly flags: TypedFlags; readonly isAsked: boolean; readonly title: string },
): Promise<string[]> {
  const given = (flags.photo as string[] | undefined) ?? [];
  const pathsOf = (photos: readonly { readonly path: string }[]) => photos.map(({ path }) => path);
  if (flags.phone)
    return [...given, ...pathsOf(await (await import('../photos/from-phone.ts')).photosFromPhone(context, flags, { title }))];
  return flags.photo === undefined && isAsked ? pathsOf(await askPhotos(context, flags, { title })) : given;
}

/** With what is known of the record. */
function withAbout(typed: string, names: readonly Candidate[]): string {
  const isTyped = (name: string) => normalizeName(name) === normalizeName(typed);
  const found = names.find(({ value, also = [] }) => [value, ...also].some(isTyped));
  if (found) return nameOption({ ...found, value: typed }).name;
  return `${sanitize(typed)}${names.length > 0 ? '  (not a known name)' : ''}`;
}

const shownNames = 9;

function askName(context: Context, label: string, names: readonly Candidate[]): Promise<string> {
  return askSearch<string>(context, {
    label,
    hint: 'a name, or a part of it',
    find: async (term) => {
      const found = matching(names, normalizeName(term));
      const isListed = found.some(({ value }) => value.toLowerCase() === term.toLowerCase());
      return [...found.slice(0, shownNames).map(nameOption), ...(term === '' || isListed ? [] : [typedOption(term)])];
    },
  });
}

/** Those with a name that starts with the term, then those that hold it anywhere. */
function matching(names: readonly Candidate[], term: string): Candidate[] {
  const starts = ({ value, also = [] }: Candidate) => [value, ...also].some((name) => normalizeName(name).startsWith(term));
  const holds = ({ value, about, also = [] }: Candidate) => [value, about, ...also].some((text) => normalizeName(text).includes(term));
  const first = names.filter(starts);
  return [...first, ...names.filter((candidate) => holds(candidate) && !first.includes(candidate))];
}

const nameOption = ({ value, about }: Candidate): Option<string> => ({
  name: sanitize([value, about].filter(Boolean).join('  ')),
  short: value,
  value,
});

const typedOption = (term: string): Option<string> => ({ name: `“${sanitize(term)}”, as typed`, short: term, value: term });

function askType(context: Context, names: readonly Candidate[], usual: string | undefined): Promise<string> {
  const types = [...names].sort((one, other) => Number(other.value === usual) - Number(one.value === usual));
  const [only, second] = types;
  if (only && !second) return Promise.resolve(only.value);
  if (!only) return askName(context, 'Event', types);
  return askOption(context, { label: 'Event', options: types.map(nameOption) });
}

async function askPlace(context: Context, { parkingSpots, parkingZones }: KnownNames): Promise<TypedFlags> {
  const named = await askName(context, 'Place', [...parkingSpots, ...parkingZones]);
  const isZone = parkingZones.some(({ value }) => value === named) && !parkingSpots.some(({ value }) => value === named);
  return isZone ? { zone: named } : { spot: named };
}
