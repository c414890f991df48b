/** A facility with a car at the counter, for tests of the drop-off. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import type { RecordFor } from '../../../../src/contract/contract.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

export interface Counter {
  readonly service: TestService;
  readonly make: Facility;
  readonly harbour: RecordFor<'locations'>;
  readonly hall: RecordFor<'parkingZones'>;
  /** Where and as whom `cs` asks: an environment without a configuration file. */
  env(key?: string, url?: string): Record<string, string>;
  /** A new car with a plate of its own. */
  car(given?: Parameters<Facility['car']>[0]): Promise<RecordFor<'cars'> & { licensePlate: string }>;
  /** A new free spot in the hall. */
  spot(given?: Parameters<Facility['spot']>[1]): Promise<RecordFor<'parkingSpots'>>;
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
  return { startAt: start.toISOString(), endAt: new Date(start.getTime() + 1_800_000).toISOString() };
}

let made = 0;

export async function openCounter(): Promise<Counter> {
  const service = await startTestService();
  const make = facility(service);
  const harbour = await make.location({ name: 'Harbour' });
  const hall = await make.zone(harbour.id, { name: 'Hall A', capacity: 2 });
  const list = async (path: string) => (await service.call('GET', path)).body.data;
  return {
    service,
    make,
    harbour,
    hall,
    env: (key = service.key, url = service.url) => ({
      CS_BASE_URL: url,
      CS_API_KEY: key,
      CS_CONFIG_DIR: join(service.data, 'no-config'),
      // What is of today is so for the test and for what it runs.
      ...(process.env.TZ && { TZ: process.env.TZ }),
    }),
    car: (given) => make.car({ licensePlate: `HH-T ${++made}`, ...given }) as Promise<RecordFor<'cars'> & { licensePlate: string }>,
    spot: (given) => make.spot(harbour.id, { zoneId: hall.id, name: `S${++made}`, ...given }),
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
export function jpeg(width: number, height: number, { gps = false, tone = 128 } = {}): Promise<Buffer> {
  const image = sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: tone, sigma: 40 } },
  });
  const located = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 32/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '9/1 59/1 0/1' } };
  return (gps ? image.withExif(located) : image).jpeg({ quality: 97 }).toBuffer();
}
