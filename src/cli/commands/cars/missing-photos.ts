/** `cs cars photos missing`: the cars here whose last drop-off lacks a photo of the list of its event type. */
import type { Client } from '../../../client/client.ts';
import { type Car, identityOf } from '../../../facility/car-names.ts';
import { timeOf } from '../../../facility/day.ts';
import { requiresPlace } from '../../../facility/event-type.ts';
import { missingPhotos } from '../../../facility/photo-checklist.ts';
import { withoutTakenBack } from '../../../facility/taken-back.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Row } from '../../output/view.ts';
import { gather } from '../../resources/methods.ts';
import { withSpinner } from '../../terminal/spinner.ts';
import { isParked } from '../counter/car.ts';
import { mapParallel } from '../files/parallel.ts';
import { checklistOf } from '../photos/checklist.ts';
import { missingView } from './view.ts';

export async function listMissingPhotos(context: Context): Promise<void> {
  const client = await context.client();
  const types = (await gather(client.eventTypes.all())).filter(requiresPlace);
  const lists = new Map(types.map((type) => [type.value, checklistOf(context, type)]));
  if ([...lists.values()].every((names) => names.length === 0))
    throw usage(
      'No photos are listed for a drop-off.',
      'list them with `cs config set photos.drop_off front,rear`',
    );
  // A server that names its states otherwise tells by the place.
  const filter = client.transport.promisesLists() ? ({ status: 'stored' } as const) : {};
  const rows = await withSpinner(context, 'Reading the photos of the cars', async () => {
    const cars = await gather(client.cars.all(filter));
    return mapParallel(
      cars.filter((car) => isParked(car) !== false),
      4,
      (car) => rowOf(client, car, lists),
    );
  });
  const records = rows.filter((row) => row !== undefined);
  await context.output.list({ view: missingView, records });
  if (context.output.forPeople && records.length > 0)
    context.note(
      `Add them with \`${nextCommand(['cars', 'photos', 'add', 'CAR', 'FILE…'], connectionFlags(context))}\` and --session; a file is named for what it shows`,
    );
}

/** Undefined where nothing is missing. */
async function rowOf(
  client: Client,
  car: Car,
  lists: ReadonlyMap<string, readonly string[]>,
): Promise<Row | undefined> {
  const events = await gather(client.carEvents.all(car.id));
  const [last] = withoutTakenBack(events)
    .filter(({ activityType }) => lists.has(activityType))
    .sort((a, b) => timeOf(b.occurredAt) - timeOf(a.occurredAt));
  const names = lists.get(last?.activityType ?? '') ?? [];
  if (!last || names.length === 0) return undefined;
  const { id: eventId, sessionId, occurredAt } = last;
  const photos = await gather(client.carPhotos.all(car.id, sessionId ? { sessionId } : {}));
  const missing = missingPhotos(
    names,
    photos.map(({ filename }) => filename),
  );
  if (missing.length === 0) return undefined;
  return {
    ...identityOf(car),
    parkingSpotId: car.parkingSpotId ?? null,
    parkingZoneId: car.parkingZoneId ?? null,
    eventId,
    sessionId: sessionId ?? null,
    droppedOffAt: occurredAt,
    missingPhotos: missing,
  };
}
