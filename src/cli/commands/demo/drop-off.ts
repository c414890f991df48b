/** Plans the drop-off of the demo: car, place and photos. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, RecordFor } from '../../../client/client.ts';
import { byName } from '../../../facility/natural.ts';
import { CliError } from '../../errors/exit.ts';
import { dayOf } from '../../input/day.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { openAppointments } from '../counter/appointment.ts';
import type { DropoffPlan } from '../dropoff/action.ts';
import { readFacts } from '../photos/photo-file.ts';
import { makeSamplePhoto } from './sample.ts';

/** A car that isn't stored, on the first free spot, with the sample photos; it fulfils the car's appointment of today. */
export async function planDropoff(client: Client, folder: string, now: Date): Promise<DropoffPlan> {
  const [eventType] = await Array.fromAsync(
    client.eventTypes.all({ scope: 'vehicle', isActive: true }),
  ).then((types) => types.filter(({ value }) => value === 'drop_off'));
  if (!eventType) throw unusable('The event type drop_off of the demo team is missing.');
  const car = (await findCarToDropOff(client)) ?? (await pickUpOldest(client));
  const open = await openAppointments(client, car, dayOf(now));
  const appointment = open.find(({ appointmentTypeId }) => appointmentTypeId === eventType.id);
  const spots = await Array.fromAsync(client.parkingSpots.all({ available: true }));
  const spot = spots.sort(byName)[0];
  if (!spot) throw unusable('All parking spots of the demo are taken.');
  const [location, zone] = await Promise.all([
    client.locations.get(spot.locationId),
    spot.zoneId ? client.parkingZones.get(spot.zoneId) : undefined,
  ]);
  const within = [zone?.name, location.name].filter(Boolean).join(' · ');
  const photos = await Promise.all((await samplePhotos(folder, now)).map(readFacts));
  return {
    car,
    eventType,
    place: { kind: 'spot', record: spot, within },
    appointment,
    notes: 'Full tank, two keys.',
    photos,
  };
}

/** The car that has been away the longest, so that each run uses another one. */
async function findCarToDropOff(client: Client): Promise<RecordFor<'cars'> | undefined> {
  let last: RecordFor<'cars'> | undefined;
  for await (const car of client.cars.all())
    if (car.status === 'expected' || car.status === 'checked_out') last = car;
  return last;
}

/** Frees a car if all are stored: first in, first out. */
async function pickUpOldest(client: Client): Promise<RecordFor<'cars'>> {
  const stored = await Array.fromAsync(client.cars.all({ status: 'stored' }));
  const longest = stored.at(-1);
  if (!longest) throw unusable('The demo has no car to drop off.');
  await client.carEvents.create(longest.id, { activityType: 'pick_up' });
  return client.cars.get(longest.id);
}

/** Two photos as a phone takes them: a large one, rotated and with a location, and a small one. */
async function samplePhotos(folder: string, taken: Date): Promise<string[]> {
  makeFolder(folder);
  const wanted = [
    { path: join(folder, 'front.jpg'), make: () => makeSamplePhoto('front', taken, true) },
    { path: join(folder, 'side.jpg'), make: () => makeSamplePhoto('side', taken, false) },
  ];
  for (const { path, make } of wanted) if (!existsSync(path)) await writeFile(path, await make());
  return wanted.map(({ path }) => path);
}

const unusable = (message: string): CliError =>
  new CliError({
    code: 'data_unusable',
    exitCode: 7,
    message,
    hint: 'start over in another folder with --data',
  });
