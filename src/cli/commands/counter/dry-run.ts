/** The requests that an event and its photos would be, for --dry-run. */

import type { CreateFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import type { PlannedRequest } from '../../output/request.ts';
import type { PhotoFacts } from '../photos/facts.ts';
import { type PhotoOptions, preparePhoto } from '../photos/prepare.ts';

interface Planned {
  readonly carId: string;
  /** A car that would be stored before. */
  readonly newCar?: CreateFor<'cars'>;
  readonly body: CreateFor<'carEvents'>;
  readonly photos: readonly PhotoFacts[];
}

/** Makes the photos ready as for sending, so that what is shown is what would be sent. */
export async function printRequests(context: Context, { carId, newCar, body, photos }: Planned, options: PhotoOptions): Promise<void> {
  const requests: PlannedRequest[] = [];
  if (newCar) requests.push({ method: 'POST', path: '/api/v1/cars', body: newCar });
  requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/events`, body });
  for (const { path } of photos) {
    context.io.signal.throwIfAborted();
    const { filename, sizeBytes } = await preparePhoto(path, options);
    const photo = { sessionId: '{sessionId of the event}', filename, base64: `(${sizeBytes} bytes)` };
    requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/photos`, body: photo });
  }
  await context.output.request(requests);
}
