/** `cs audit`: names spot by spot what should be there, and what differs. */
import { isSameId } from '../../../client/ids.ts';
import { describeCar, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { isRefusal } from '../../errors/codes.ts';
import { CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { readText } from '../../input/input.ts';
import { isSameReading, normalizeName } from '../../input/matching.ts';
import { localTime } from '../../input/when.ts';
import { resultView, type View } from '../../output/view.ts';
import { confirm } from '../../prompts/confirm.ts';
import { column } from '../../resources/view.ts';
import { type AuditKey, forgetNotes, type Noted, noteSpot, readNotes } from '../../state/audits.ts';
import { joinList, pluralize, sanitize } from '../../terminal/text.ts';
import { captured } from '../counter/captured.ts';
import { runAction } from '../counter/engine.ts';
import { facilityOf } from '../counter/facility.ts';
import { readCsv } from '../import/rows.ts';
import { type AreaFlags, addAreaFlags } from '../live/area.ts';
import { moveAction } from '../move/action.ts';
import { addPhoneFlags, type PhoneFlags } from '../photos/flags.ts';
import { type Asker, back, withAsker } from './ask.ts';
import {
  carOn,
  carsCalled,
  findingsOf,
  type Hall,
  noteOf,
  outdatedSpots,
  readHall,
  spotLabelled,
} from './hall.ts';
import type { Finding } from './shape.ts';

interface AuditFlags extends AreaFlags, PhoneFlags {
  readonly from?: string;
  readonly fix?: true;
  readonly again?: true;
}

const view: View = {
  ...resultView('difference', [
    'finding',
    'car',
    'carId',
    'found',
    'foundId',
    'recorded',
    'recordedId',
    'moved',
  ] satisfies (keyof Finding)[]),
  columns: ['finding', 'car', 'found', 'recorded'].map((name) => column(name)),
  emptyHint: 'Every car is where it is recorded.',
};

export const audit: CommandBuilder = (command) => {
  addAreaFlags(
    command.description(
      'Take stock: names each spot with the car that should be there. Enter confirms it; the plate of another car, typed or scanned, notes that one, and - notes an empty spot. With --phone a phone asks instead, and its camera reads labels.\n' +
        'Prints what differs, with exit 12: missing cars, unexpected ones, and those that are recorded elsewhere. Notes stay on this machine until nothing differs, so after a break the same line goes on, and after the last spot it asks those that differ again. --fix moves the cars that are recorded elsewhere to where they were found, after a confirmation. Cars in a zone without a spot are left out.',
    ),
  )
    .option(
      '--from <file|->',
      'what was found, as csv with the columns spot and plate, instead of prompts',
    )
    .option('--fix', 'move cars to where they were found')
    .option('--again', 'start over, without the notes of an earlier run')
    .onlyOneOf('from', 'again')
    .onlyOneOf('from', 'phone');
  addPhoneFlags(command, 'answer');
  command.markAsWrite((_, { fix }) => fix === true);
  command.needs(
    { part: 'parkingSpots.list', otherwise: 'exit 9' },
    { part: 'parkingZones.list', otherwise: 'exit 9' },
    { part: 'locations.list', otherwise: 'exit 9' },
    { part: 'cars.parkingSpotId', otherwise: 'exit 9' },
    { part: 'parkingAssignments.create', otherwise: '--fix is exit 9' },
  );
  command.examples([
    'cs audit --zone "Hall A"',
    'cs audit --zone "Hall A" --fix',
    '# a list from another device: exit 12 where something differs',
    'printf \'spot,plate\\nA1,HH-E 61H\\nA3,\\n\' | cs audit --zone "Hall A" --from - -o json',
  ]);
  command.declareOutput(view).handle((context, { options }) => run(context, options));
};

async function run(context: Context, flags: AuditFlags): Promise<ExitCode> {
  const { io, output } = context;
  if (flags.from === undefined && !context.interactive)
    throw usage('A stock-taking needs a terminal.', 'give what was found with --from FILE');
  let hall = await readHall(context, flags);
  if (hall.spots.length === 0)
    throw new CliError({
      code: 'not_found',
      message: 'There are no spots to check here; nothing was compared.',
      hint: '`cs parking spots list` shows them',
    });
  const key = { facility: (await facilityOf(context)).id, scope: hall.scope };
  let notes: ReadonlyMap<string, Noted>;
  if (flags.from === undefined) {
    if (flags.again) forgetNotes(io, key, null);
    else continueNotes(context, hall, { key, isFixing: flags.fix === true });
    const outdated = () => outdatedSpots(hall, readNotes(io, key));
    const ask = async (asker: Asker) => {
      for (;;) {
        await walk(context, { hall, key, asker });
        hall = await readHall(context, flags);
        const again = outdated();
        if (again.length === 0) return;
        const titles = joinList(again.map(({ title }) => title));
        asker.warn(`Changed meanwhile, please look again: ${titles}.`);
        for (const { id } of again) forgetNotes(io, key, id);
      }
    };
    if (outdated().length > 0) await withAsker(context, flags, ask);
    notes = readNotes(io, key);
  } else notes = await notesFrom(context, hall, flags.from);
  let findings = findingsOf(hall, notes);
  const found = new Set([...notes.values()].map((noted) => noted.found));
  const others = hall.withoutSpot.filter((id) => !found.has(id)).length;
  if (others > 0)
    context.note(
      others === 1
        ? "1 car without a spot isn't checked."
        : `${others} cars without a spot aren't checked.`,
    );
  const moves = findings.filter(({ finding }) => finding === 'elsewhere');
  const isFixing = flags.fix && moves.length > 0;
  if (!isFixing || output.forPeople) await output.list({ view, records: findings });
  if (isFixing) {
    const cars = pluralize(moves.length, 'car', 'cars');
    await confirm(
      context,
      `Move ${cars} to where ${moves.length === 1 ? 'it was' : 'they were'} found?`,
    );
    const moved = await fix(context, hall, moves);
    findings = findings.map((one) => ({ ...one, moved: moved.has(one) }));
    if (!output.forPeople) await output.list({ view, records: findings });
  }
  const left = findings.filter(({ moved }) => !moved);
  if (left.length === 0 && flags.from === undefined) forgetNotes(io, key, null);
  return left.length === 0 ? 0 : left.every(({ finding }) => finding === 'unchecked') ? 11 : 12;
}

/** Tells how old the notes are. Where no spot is left to ask, those that differ are asked again, except before `--fix`. */
function continueNotes(
  context: Context,
  hall: Hall,
  { key, isFixing }: { key: AuditKey; isFixing: boolean },
): void {
  const notes = readNotes(context.io, key);
  const [first] = [...notes.values()].map(({ at }) => at).sort();
  if (first === undefined) return;
  const { length } = hall.spots;
  const noted = hall.spots.filter(({ id }) => notes.has(id)).length;
  context.note(
    `${noted} of ${pluralize(length, 'spot is', 'spots are')} noted, the first at ${localTime(first)}; --again starts over.`,
  );
  if (isFixing || noted < length) return;
  for (const { foundId, recordedId } of findingsOf(hall, notes))
    for (const id of [foundId, recordedId]) if (id !== null) forgetNotes(context.io, key, id);
}

interface Walk {
  readonly hall: Hall;
  readonly key: AuditKey;
  readonly asker: Asker;
}

/** Asks for each spot without a note, and at the end whether the last one was right. */
async function walk(context: Context, { hall, key, asker }: Walk): Promise<void> {
  const { io } = context;
  const { spots } = hall;
  /** The number of spots where each has a note. */
  const open = () => {
    const notes = readNotes(io, key);
    const at = spots.findIndex(({ id }) => !notes.has(id));
    return at < 0 ? spots.length : at;
  };
  let at = open();
  if (at === spots.length) return;
  for (let last = at; ; ) {
    const spot = spots[at];
    const car = spot && hall.cars.get(carOn(spot) ?? '');
    const label = spot
      ? `${spot.title} (${at + 1} of ${spots.length})`
      : `${spots.length} of ${spots.length} noted`;
    const typed = await asker.spot(label, spot && (car ? describeCar(car) : 'empty'));
    const labelled = spotLabelled(hall, typed);
    const isLabel = labelled && carsCalled(hall, typed).length === 0;
    if (typed === back) at = spot ? Math.max(at - 1, 0) : last;
    else if (isLabel) at = spots.indexOf(labelled);
    else if (spot) {
      const noted = await noteTyped(context, { hall, key, asker, spot, typed });
      if (!noted) continue;
      noteSpot(io, key, spot.id, noted);
      const found = hall.cars.get(noted.found ?? '');
      asker.note(`${spot.title}: ${found ? titleOf(found) : (noted.plate ?? 'empty')}`);
      last = at;
      at = open();
      continue;
    } else if (typed === '') return;
    else continue;
    const again = spots[at];
    if (again) forgetNotes(io, key, again.id);
  }
}

/** Undefined where the spot is asked again. */
async function noteTyped(
  { io }: Context,
  {
    hall,
    key,
    asker,
    spot,
    typed,
  }: Walk & { readonly spot: Hall['spots'][number]; readonly typed: string },
): Promise<Noted | undefined> {
  if (typed === '-') return noteOf(hall, spot, null);
  const [car, second] = typed === '' ? [] : carsCalled(hall, typed);
  if (second) {
    asker.warn(`"${sanitize(typed)}" is the name of several cars: type the plate, or the id.`);
    return undefined;
  }
  if (typed !== '' && !car)
    return (await asker.isSo(`No car is called "${sanitize(typed)}". Note it as an unknown car?`))
      ? noteOf(hall, spot, null, typed)
      : undefined;
  const found = car?.id ?? carOn(spot);
  const [twice] =
    [...readNotes(io, key)].find(([, noted]) => found !== null && noted.found === found) ?? [];
  if (twice !== undefined) {
    const title = hall.spots.find(({ id }) => id === twice)?.title;
    const name = car ? titleOf(car) : 'This car';
    if (!(await asker.isSo(`${name} was noted in ${title}. Is it here now?`))) return undefined;
    forgetNotes(io, key, twice);
  }
  return noteOf(hall, spot, found);
}

/** The notes of a list. Refused as a whole. */
async function notesFrom(context: Context, hall: Hall, file: string): Promise<Map<string, Noted>> {
  const notes = new Map<string, Noted>();
  const text = await readText(context, file, '--from');
  const refuse = (line: number, why: string) =>
    new CliError({
      code: 'invalid_file',
      message: `Line ${line} of the list: ${why}. Nothing was compared.`,
      hint: 'write a line spot,plate for each spot, and for an empty one the spot with its comma',
    });
  const { lines } = await readCsv(text);
  const header = (lines[0]?.cells ?? []).map(normalizeName);
  const columns = [['spot'], ['plate', 'licenseplate']].map((names) =>
    header.flatMap((name, index) => (names.includes(name) ? [index] : [])),
  );
  const isNamed = columns.flat().length > 0;
  if (isNamed && columns.some(({ length }) => length !== 1))
    throw refuse(lines[0]?.number ?? 1, 'it needs one column spot and one column plate');
  const [spotAt = 0, plateAt = 1] = columns.flat();
  const width = isNamed ? header.length : 2;
  for (const { number: line, cells } of lines.slice(isNamed ? 1 : 0)) {
    const name = cells[spotAt]?.trim() ?? '';
    const plate = cells[plateAt]?.trim();
    if (plate === undefined) throw refuse(line, 'it has no cell for the plate');
    if (cells.slice(width).some((cell) => cell.trim() !== ''))
      throw refuse(line, `it has ${cells.length} cells instead of ${width}`);
    const [spot, other] = hall.spots.filter(
      ({ id, name: own, title }) =>
        [own, title].some((one) => one && isSameReading(one, name)) || isSameId(id, name),
    );
    if (!spot || other)
      throw refuse(line, `"${name}" is ${spot ? 'the name of several spots' : 'no spot here'}`);
    if (notes.has(spot.id)) throw refuse(line, `${spot.title} is in the list twice`);
    const [car, second] = plate === '' ? [] : carsCalled(hall, plate);
    if (second) throw refuse(line, `"${plate}" is the name of several cars`);
    if (car && [...notes.values()].some(({ found }) => found === car.id))
      throw refuse(line, `${titleOf(car)} is in the list twice`);
    notes.set(
      spot.id,
      noteOf(hall, spot, car?.id ?? null, car || plate === '' ? undefined : plate),
    );
  }
  return notes;
}

/** Each through the action and the journal of `cs move`, those whose spot becomes free after the others. */
async function fix(context: Context, hall: Hall, moves: readonly Finding[]): Promise<Set<Finding>> {
  const client = await context.client();
  const moved = new Set<Finding>();
  const waiting = new Set(moves);
  const taken = new Map(hall.spots.map((spot) => [spot.id, carOn(spot)]));
  const isFree = ({ foundId }: Finding) => (taken.get(foundId ?? '') ?? null) === null;
  for (let next = moves.find(isFree); next; next = [...waiting].find(isFree)) {
    waiting.delete(next);
    const { car, carId, found, foundId, recorded, recordedId } = next;
    try {
      const { parkingSpotId, parkingZoneId } = await client.cars.get(carId ?? '');
      if (!isSameId(parkingSpotId ?? parkingZoneId, recordedId)) {
        context.warn(
          `${car} isn't in ${recorded} any more: another counter moved it, so it stays where it is.`,
        );
        continue;
      }
      await runAction(captured(context).context, moveAction, {
        car: carId ?? '',
        spot: foundId ?? '',
      });
    } catch (error) {
      const { exitCode, message } = reportOf(error);
      // Anything else would stop the next move, too, and this one may be stored.
      if (!isRefusal(exitCode)) throw error;
      context.warn(`${car} isn't moved to ${found}: ${sentence(message)}`);
      continue;
    }
    moved.add(next);
    taken.set(foundId ?? '', carId);
    taken.set(recordedId ?? '', null);
    if (context.output.forPeople) context.note(`${car} is moved from ${recorded} to ${found}`);
  }
  for (const { car, found } of waiting)
    context.warn(
      `${car} isn't moved: ${found} is recorded as taken. Move or pick up that car first, then run this again.`,
    );
  return moved;
}
