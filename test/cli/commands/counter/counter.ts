/** A facility with a counter, and a person who answers its questions. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../../helpers/terminal.ts';

type PlatedCar = RecordFor<'cars'> & { licensePlate: string };

export interface Counter {
  readonly service: TestService;
  readonly make: Facility;
  readonly harbour: RecordFor<'locations'>;
  readonly hall: RecordFor<'parkingZones'>;
  /** Where and as whom `cs` asks: an environment without a configuration file. */
  env(key?: string, url?: string): Record<string, string>;
  /** A new car with a plate of its own. */
  car(given?: Parameters<Facility['car']>[0]): Promise<PlatedCar>;
  /** A new free spot in the hall. */
  spot(given?: Parameters<Facility['spot']>[1]): Promise<RecordFor<'parkingSpots'>>;
  /** A new car on a new spot. */
  parkedCar(
    given?: Parameters<Facility['car']>[0],
  ): Promise<{ car: PlatedCar; spot: RecordFor<'parkingSpots'> }>;
  /** `cs` on a terminal at this counter, at noon. */
  open(argv: readonly string[], options?: TerminalOptions): Terminal;
  /** Everything that is stored of a car. */
  storedOf(carId: string): Promise<{
    car: RecordFor<'cars'>;
    events: RecordFor<'carEvents'>[];
    photos: RecordFor<'carPhotos'>[];
    assignments: RecordFor<'parkingAssignments'>[];
  }>;
}

/** A day of an appointment, whatever the time is: for those who are given `noon` as the time. */
export const noon = new Date();
noon.setHours(12, 0, 0, 0);

/** From 15:00 to 15:30 on the day of `noon`. */
export function afternoon(): { startAt: string; endAt: string } {
  const start = new Date(noon);
  start.setHours(15);
  return {
    startAt: start.toISOString(),
    endAt: new Date(start.getTime() + 1_800_000).toISOString(),
  };
}

let made = 0;

export async function openCounter(): Promise<Counter> {
  const service = await startTestService();
  const make = facility(service);
  const harbour = await make.location({ name: 'Harbour' });
  const hall = await make.zone(harbour.id, { name: 'Hall A', capacity: 2 });
  const list = async (path: string) => (await service.call('GET', path)).body.data;
  const env: Counter['env'] = (key = service.key, url = service.url) => ({
    CS_BASE_URL: url,
    CS_API_KEY: key,
    CS_CONFIG_DIR: join(service.data, 'no-config'),
    // Work of other files that is left open is told by every command of the counter.
    CS_STATE_DIR: join(service.data, 'state'),
    // What is of today is so for the test and for what it runs.
    ...(process.env.TZ && { TZ: process.env.TZ }),
  });
  const newCar: Counter['car'] = (given) =>
    make.car({ licensePlate: `HH-T ${++made}`, ...given }) as Promise<PlatedCar>;
  const newSpot: Counter['spot'] = (given) =>
    make.spot(harbour.id, { zoneId: hall.id, name: `S${++made}`, ...given });
  return {
    service,
    make,
    harbour,
    hall,
    env,
    car: newCar,
    spot: newSpot,
    async parkedCar(given) {
      const [car, spot] = [await newCar(given), await newSpot()];
      await make.event(car.id, { parkingSpotId: spot.id });
      return { car, spot };
    },
    open: (argv, { env: own, ...options } = {}) =>
      openTerminal(argv, { env: { ...env(), ...own }, now: noon, ...options }),
    async storedOf(id) {
      const [events, photos, assignments] = await Promise.all([
        list(`/cars/${id}/events`),
        list(`/cars/${id}/photos`),
        list(`/parking/assignments?carId=${id}`),
      ]);
      return { car: await make.read(`/cars/${id}`), events, photos, assignments };
    },
  };
}

/** One for all tests of a file. */
export function counterOfFile(): Counter {
  const counter = {} as Counter;
  beforeAll(async () => void Object.assign(counter, await openCounter()));
  afterAll(() => counter.service.close());
  return counter;
}

/** The lines of a screen, without what pads them. */
export const linesOf = (screen: string): string[] =>
  screen.split('\n').map((line) => line.trimEnd());

/** Where a sentence breaks depends on the width. */
export const unbroken = (text: string): string => text.replace(/\s+/g, '');

/** What `cs dropoff` needs of flags, without the approval. */
export const intoSpot = (car: string, spot: string): readonly string[] => [
  ...['--car', car, '--type', 'drop_off', '--spot', spot],
];

/** Answers the questions with these labels, one after the other. */
export async function answerEach(
  terminal: Terminal,
  answers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, typed] of Object.entries(answers)) await answer(terminal, `? ${label}`, typed);
}

/** What is asked of a new car, up to its owner. */
export const newCarAnswers = {
  Plate: '',
  Make: 'Saab',
  Model: '96',
  Year: '1967',
  Colour: '',
};

/** Searches for a car that isn't there, and adds it, up to its owner. */
export async function addNewCar(
  terminal: Terminal,
  plate: string,
  answers: Partial<typeof newCarAnswers> = {},
): Promise<void> {
  await terminal.waitFor('＋ Add a new car');
  terminal.type(plate);
  await answer(terminal, 'not found');
  await answerEach(terminal, { ...newCarAnswers, ...answers });
}

/** Stops the command at a question. */
export async function leave(terminal: Terminal): Promise<void> {
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
}

/** Types into the question that is shown, and then Enter. */
export async function answer(
  terminal: Terminal,
  shown: string | RegExp,
  typed = '',
): Promise<void> {
  await terminal.waitFor(typeof shown === 'string' && shown.startsWith('? ') ? asks(shown) : shown);
  terminal.type(`${typed}\r`);
}

/** Types a search into a list, and chooses what is under the cursor once this is found. */
export async function pick(
  terminal: Terminal,
  shown: string | RegExp,
  typed: string,
  found: string | RegExp,
): Promise<void> {
  await terminal.waitFor(shown);
  terminal.type(typed);
  await answer(terminal, found);
}

/** A question stands at the start of its line; what is chosen of another one may follow a question mark too. */
const asks = (question: string) => (screen: string) =>
  screen.split('\n').some((line) => line.startsWith(question));

/** Presses until the cursor of a list is on the option. */
export async function moveTo(terminal: Terminal, option: string, presses: number): Promise<void> {
  // What stands above the list may have the same words.
  await terminal.waitFor(new RegExp(`❯ [^\\n]*\\n(.*\\n)*? +${option}`));
  for (let press = 0; press < presses; press += 1) terminal.press('down');
  await terminal.waitFor(new RegExp(`❯ +${option}`));
}

export async function choose(terminal: Terminal, option: string, presses: number): Promise<void> {
  await moveTo(terminal, option, presses);
  terminal.press('enter');
}

/** A folder with files in it, removed when the test ends. */
export async function folderWith(files: Record<string, Uint8Array | string>): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** A JPEG of noise, so that its size in bytes goes with its pixels: 400 × 300 is about 0.1 MB, 2400 × 1800 about 4. Another `tone` is another photo. */
export function jpeg(
  width: number,
  height: number,
  { gps = false, tone = 128 } = {},
): Promise<Buffer> {
  const image = sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: tone, sigma: 40 },
    },
  });
  const located = {
    IFD3: {
      GPSLatitudeRef: 'N',
      GPSLatitude: '53/1 32/1 0/1',
      GPSLongitudeRef: 'E',
      GPSLongitude: '9/1 59/1 0/1',
    },
  };
  return (gps ? image.withExif(located) : image).jpeg({ quality: 97 }).toBuffer();
}
