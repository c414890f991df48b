/** The commands that keep a journal, each with what it stores when it is carried out once. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counter, intoSpot } from '../cli/commands/counter/counter.ts';
import { png } from './facility.ts';

/** What a person types, each once the screen shows the text before it. */
export type Answers = readonly (readonly [shown: string | RegExp, typed: string])[];

interface Prepared {
  /** The plate of the car, which no other car has. */
  readonly plate: string;
  readonly argv: readonly string[];
  /** For a command that needs a terminal. */
  readonly answers?: Answers;
}

export interface RepeatedCommand {
  readonly name: string;
  /** Stores what the command needs, and gives its line. */
  readonly prepare: (counter: Counter) => Promise<Prepared>;
  /** Its first POST requests, in their order: each is a moment to be killed. Those after them are sent as another command shows it. */
  readonly posts: readonly string[];
  /** How much is stored of the car at the end. */
  readonly stored: {
    readonly owners: number;
    readonly cars: number;
    readonly events: number;
    readonly assignments: number;
    readonly photos: number;
  };
}

/** The photos of the commands below, in their working folder. */
export async function writePhotos(folder: string): Promise<void> {
  for (const index of [1, 2]) await writeFile(join(folder, `${index}.png`), png(index));
}

/** So many that no plate is found by the name of another new car. */
let newCars = 200;
const ownerOf = (plate: string): string =>
  `${plate.replaceAll(' ', '-')}@example.org`.toLowerCase();

export const repeatedCommands: readonly RepeatedCommand[] = [
  {
    name: 'dropoff',
    async prepare(counter) {
      const [{ licensePlate: plate }, spot] = [await counter.car(), await counter.spot()];
      const flags = ['--photo', '*.png', '--at', '10 minutes ago', '--yes'];
      return { plate, argv: ['dropoff', ...intoSpot(plate, spot.name), ...flags] };
    },
    posts: ['event', 'first photo', 'second photo'],
    stored: { owners: 0, cars: 1, events: 1, assignments: 1, photos: 2 },
  },
  {
    name: 'pickup',
    async prepare(counter) {
      const { licensePlate: plate } = (await counter.parkedCar()).car;
      return { plate, argv: ['pickup', plate, '--photo', '1.png', '--yes'] };
    },
    posts: ['event'],
    stored: { owners: 0, cars: 1, events: 2, assignments: 1, photos: 1 },
  },
  {
    name: 'move',
    async prepare(counter) {
      const [{ car }, to] = [await counter.parkedCar(), await counter.spot()];
      return { plate: car.licensePlate, argv: ['move', car.licensePlate, '--spot', to.name] };
    },
    posts: ['assignment'],
    stored: { owners: 0, cars: 1, events: 1, assignments: 2, photos: 0 },
  },
  {
    name: 'photos add',
    async prepare(counter) {
      const { licensePlate: plate } = await counter.car();
      return { plate, argv: ['cars', 'photos', 'add', plate, '1.png', '2.png'] };
    },
    posts: ['first photo'],
    stored: { owners: 0, cars: 1, events: 0, assignments: 0, photos: 2 },
  },
];

/** Needs a terminal: a script can't describe a new car. */
export const newCarDropoff: RepeatedCommand = {
  name: 'dropoff of a new car',
  async prepare(counter) {
    const plate = `B-NEW ${++newCars}`;
    const owner = ownerOf(plate);
    const spot = await counter.spot();
    const argv = [
      ...['dropoff', '--type', 'drop_off', '--spot', spot.name, '--notes', ''],
      ...['--photo', '*.png', '--at', '10 minutes ago'],
    ];
    const answers: Answers = [
      ['＋ Add a new car', plate],
      [`❯ ＋ Add a new car (“${plate}” not found)`, '\r'],
      [new RegExp(`\\? Plate +${plate}`), '\r'],
      ['? Make', 'Citroën\r'],
      ['? Model', 'Ami\r'],
      ['? Year', '1969\r'],
      ['? Colour', '\r'],
      ['❯ No owner yet', owner],
      [`❯ ＋ Add a new owner (“${owner}” not found)`, '\r'],
      ['? First name', '\r'],
      ['? Last name', '\r'],
      ['? Phone', '\r'],
      [new RegExp(`\\? E-mail +${owner}`), '\r'],
      ['? Store this drop-off?', '\r'],
    ];
    return { plate, argv, answers };
  },
  posts: ['owner', 'car', 'event'],
  stored: { owners: 1, cars: 1, events: 1, assignments: 1, photos: 2 },
};

export async function storedOf(counter: Counter, plate: string) {
  const list = async (path: string) => (await counter.service.call('GET', path)).body.data;
  const cars = await list(`/cars?licensePlate=${encodeURIComponent(plate)}`);
  const owners = await list(`/customers?email=${encodeURIComponent(ownerOf(plate))}`);
  const ofCars = await Promise.all(cars.map(({ id }: { id: string }) => counter.storedOf(id)));
  const all = (name: 'events' | 'assignments' | 'photos') => ofCars.flatMap((one) => one[name]);
  return {
    owners,
    cars,
    events: all('events'),
    assignments: all('assignments'),
    photos: all('photos'),
  };
}

export async function countStored(
  counter: Counter,
  plate: string,
): Promise<RepeatedCommand['stored']> {
  const { owners, cars, events, assignments, photos } = await storedOf(counter, plate);
  return {
    owners: owners.length,
    cars: cars.length,
    events: events.length,
    assignments: assignments.length,
    photos: photos.length,
  };
}
