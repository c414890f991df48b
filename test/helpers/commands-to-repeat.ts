/** The commands that keep a journal, each with what it stores when it is carried out once. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Counter } from '../cli/commands/counter/counter.ts';
import { png } from './facility.ts';

type Car = Awaited<ReturnType<Counter['car']>>;

export interface RepeatedCommand {
  readonly name: string;
  /** Stores what the command needs, and gives its car and its line. */
  readonly prepare: (counter: Counter) => Promise<{ car: Car; argv: string[] }>;
  /** Its POST requests, in their order. */
  readonly posts: readonly string[];
  /** What is stored of the car at the end. */
  readonly stored: { readonly events: number; readonly assignments: number; readonly photos: number };
}

/** The photos of the commands below, in their working folder. */
export async function writePhotos(folder: string): Promise<void> {
  for (const index of [1, 2]) await writeFile(join(folder, `${index}.png`), png(index));
}

async function parked(counter: Counter): Promise<Car> {
  const [car, spot] = [await counter.car(), await counter.spot()];
  await counter.make.event(car.id, { parkingSpotId: spot.id });
  return car;
}

export const repeatedCommands: readonly RepeatedCommand[] = [
  {
    name: 'dropoff',
    async prepare(counter) {
      const [car, spot] = [await counter.car(), await counter.spot()];
      const argv = ['dropoff', '--car', car.licensePlate, '--type', 'drop_off', '--spot', spot.name, '--photo', '*.png'];
      return { car, argv: [...argv, '--at', '10 minutes ago', '--yes'] };
    },
    posts: ['event', 'first photo', 'second photo'],
    stored: { events: 1, assignments: 1, photos: 2 },
  },
  {
    name: 'pickup',
    async prepare(counter) {
      const car = await parked(counter);
      return { car, argv: ['pickup', car.licensePlate, '--photo', '1.png', '--yes'] };
    },
    posts: ['event', 'photo'],
    stored: { events: 2, assignments: 1, photos: 1 },
  },
  {
    name: 'move',
    async prepare(counter) {
      const [car, to] = [await parked(counter), await counter.spot()];
      return { car, argv: ['move', car.licensePlate, '--spot', to.name] };
    },
    posts: ['assignment'],
    stored: { events: 1, assignments: 2, photos: 0 },
  },
  {
    name: 'photos add',
    async prepare(counter) {
      const car = await counter.car();
      return { car, argv: ['cars', 'photos', 'add', car.licensePlate, '1.png', '2.png'] };
    },
    posts: ['first photo', 'second photo'],
    stored: { events: 0, assignments: 0, photos: 2 },
  },
];

export async function countStored(counter: Counter, car: Car): Promise<RepeatedCommand['stored']> {
  const { events, assignments, photos } = await counter.storedOf(car.id);
  return { events: events.length, assignments: assignments.length, photos: photos.length };
}
