import type { Client } from '../../../client/client.ts';
import { idKey } from '../../../client/ids.ts';
import { titleOf } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import { byName } from '../../../facility/natural.ts';
import { whereIs } from '../../../facility/places.ts';
import { type Stay, stayDays } from '../../../facility/stay-days.ts';
import { isTakingBack } from '../../../facility/taken-back.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { missingFieldError } from '../../errors/missing-path.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { dayOf } from '../../input/day.ts';
import { type Row, resultView, type View } from '../../output/view.ts';
import { gather } from '../../resources/methods.ts';
import { column } from '../../resources/view.ts';
import { pluralize } from '../../terminal/text.ts';
import { timeInZone } from '../counter/time-zones.ts';
import { mapParallel } from '../files/parallel.ts';
import { ifOpen, readPlaces, recordsOf } from '../live/read.ts';

export const daysStored: CommandBuilder = (command) => {
  command
    .description(
      'Count the days that cars were stored in a month, for bills: by customer, car or zone.\n' +
        "Each begun day counts, in the time zone of the location. A car has a day once: two stays count as one, and after a move the day belongs to the first place. A car that is still here counts until now, or until the end of the month. A drop-off that was undone doesn't count; it does where the key or the server doesn't show the events. Customers are the cars' owners of today.",
    )
    .option('--month <month>', 'such as 2026-11 (default: this month)')
    .addOption(
      command
        .createOption('--by <what>', 'a line for each customer, car or zone (default: customer)')
        .choices(['customer', 'car', 'zone'])
        .default('customer'),
    );
  command.needs(
    { part: 'parkingAssignments.list', otherwise: 'exit 9' },
    { part: 'parkingAssignments.endedAt', otherwise: 'exit 9' },
    { part: 'parkingSpots.list', otherwise: 'exit 9' },
    { part: 'parkingZones.list', otherwise: 'exit 9' },
    { part: 'locations.list', otherwise: 'exit 9' },
    { part: 'locations.timezone', otherwise: 'exit 9' },
    { part: 'carEvents.get', otherwise: 'undone drop-offs count' },
    { part: 'parkingAssignments.endedByEventId', otherwise: 'undone drop-offs count' },
    { part: 'cars.customerId', otherwise: '--by customer and --by car are exit 9' },
  );
  command.examples([
    'cs usage --month 2026-10',
    'cs usage --month 2026-10 --by car -o csv',
    'cs usage --by zone',
  ]);
  command.handle((context, { options }) => run(context, options as Parameters<typeof run>[1]));
};

type Grouping = 'customer' | 'car' | 'zone';

async function run(context: Context, given: { month?: string; by: Grouping }): Promise<void> {
  const { io, output } = context;
  const now = io.now().getTime();
  const { by, month = dayOf(io.now()).date.slice(0, 7) } = given;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw usage(`--month: "${month}" isn't a month.`, 'write it like 2026-11');
  const none = by === 'zone' ? 'spots without a zone' : 'cars without an owner';
  const more = { customer: [], car: ['customer'], zone: ['location'] }[by];
  const fields = more.flatMap((name) => [`${name}Id`, name]);
  const view: View = {
    ...resultView('line', ['month', 'id', 'name', ...fields, 'cars', 'days']),
    columns: [
      { header: by, cell: ({ id, name }) => name ?? id ?? `(${none})` },
      ...more.map((name) => column(name)),
      { ...column('cars'), align: 'right' },
      { ...column('days'), align: 'right' },
    ],
    emptyHint: 'No car was stored in that month.',
  };
  await output.prepare(view);
  const client = await context.client();
  const counted = stayDays(await staysOf(client, month, now), { month, now });
  const factsOf =
    by === 'zone' ? ({ place }: PlacedStay) => place : await carFacts(client, carsIn(counted), by);
  const groups = Map.groupBy(counted, ({ stay }) => JSON.stringify(factsOf(stay)));
  const rows = Array.from(groups, ([facts, days]): Row => {
    const cars = carsIn(days).size;
    return { month, ...JSON.parse(facts), cars, days: days.length };
  }).sort((a, b) => Number(a.id === null) - Number(b.id === null) || byName(a, b));
  const records = output.format === 'id' ? rows.filter(({ id }) => id !== null) : rows;
  await output.list({ view, records });
  if (records.length < rows.length) context.note(`Left out, without an id: ${none}.`);
  if (output.forPeople && rows.length > 0)
    context.note(
      `Total of ${month}: ${pluralize(counted.length, 'day', 'days')} of ${pluralize(carsIn(counted).size, 'car', 'cars')}`,
    );
}

const carsIn = (days: readonly { readonly stay: Stay }[]) =>
  new Set(days.map(({ stay }) => idKey(stay.carId)));

/** With what a line says of the zone. */
type PlacedStay = Stay & { readonly place: Row; readonly endedBy: string | null | undefined };

const uncounted = (what: string) => missingFieldError(what, "the days can't be counted");

/** The stays that may have a day in the month, without those that were taken back. */
async function staysOf(client: Client, month: string, now: number): Promise<PlacedStay[]> {
  const assignments = await gather(client.parkingAssignments.all());
  // After them, so that they have every place in an assignment.
  const places = await readPlaces(client);
  // Where some records show it, an absent field counts as null.
  const showsEnd = assignments.some(({ endedAt }) => endedAt !== undefined);
  const [dayMs, start] = [86_400_000, Date.parse(`${month}-01T00:00:00Z`)];
  const stays = assignments.flatMap((assignment): PlacedStay[] => {
    const { id, carId, startedAt, endedAt, endedByEventId: endedBy, ...at } = assignment;
    const from = Date.parse(String(startedAt));
    const until = endedAt ? Date.parse(endedAt) : null;
    if (!showsEnd || !carId || Number.isNaN(from) || Number.isNaN(until))
      throw uncounted(`which car the parking ${id} was for, and when it started and ended`);
    // No zone is more than a day off.
    if (from > start + 33 * dayMs || (until ?? now) < start - dayMs) return [];
    const { zone, location } = whereIs(places, at);
    const timeZone = location?.timezone;
    if (!timeZone || timeInZone(timeZone, '2026-01-01') === undefined)
      throw uncounted(`the time zone of ${location?.name ?? `the parking ${id}`}`);
    const place = {
      id: zone?.id ?? null,
      name: zone?.name ?? null,
      locationId: location.id,
      location: location.name ?? null,
    };
    return [{ carId, from, until, timeZone, place, endedBy }];
  });
  const endings = await mapParallel(stays, 6, async ({ carId, endedBy }) =>
    endedBy ? ifOpen(client.carEvents.get(carId, endedBy)) : undefined,
  );
  return stays.filter((_, at) => !isTakingBack(endings[at] ?? {}));
}

/** What a line says of the car or its owner. */
async function carFacts(client: Client, ids: ReadonlySet<string>, by: Grouping) {
  const cars = await recordsOf([...ids], (query) => client.cars.all(query));
  const owners = Array.from(cars.values(), ({ customerId }) => customerId);
  if (ids.size > 0 && owners.every((id) => id === undefined)) throw uncounted("the cars' owners");
  const customers = await recordsOf(owners, (query) => client.customers.all(query));
  return ({ carId }: Stay) => {
    const car = cars.get(carId);
    if (!car) throw uncounted(`anything of the car ${carId}`);
    const customer = customers.get(car.customerId ?? '');
    const customerId = customer?.id ?? car.customerId ?? null;
    const name = (customer && customerName(customer)) || null;
    return by === 'car'
      ? { id: car.id, name: titleOf(car), customerId, customer: name }
      : { id: customerId, name };
  };
}
