/** The requests that a drop-off would send, for --dry-run. */
import type { Context } from '../../command.ts';
import { type PhotoOptions, preparePhoto } from '../../photos/prepare.ts';
import { type PlannedRequest, requestText } from '../../render/request.ts';
import { type DropoffPlan, eventBody, isNew } from './plan.ts';

/** Makes the photos ready as for sending, so that what is shown is what would be sent. */
export async function printRequests(context: Context, plan: DropoffPlan, options: PhotoOptions): Promise<void> {
  const requests: PlannedRequest[] = [];
  const carId = isNew(plan.car) ? '{id of the new car}' : plan.car.id;
  if (isNew(plan.car)) requests.push({ method: 'POST', path: '/api/v1/cars', body: plan.car.values });
  requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/events`, body: eventBody(plan) });
  for (const { path } of plan.photos) {
    context.io.signal.throwIfAborted();
    const { filename, sizeBytes } = await preparePhoto(path, options);
    const body = { sessionId: '{sessionId of the event}', filename, base64: `(${sizeBytes} bytes)` };
    requests.push({ method: 'POST', path: `/api/v1/cars/${carId}/photos`, body });
  }
  await context.output.value({ dryRun: true, requests }, requests.map(text).join('\n'));
}

/** The size stands where the bytes would; written as text it would be taken for them. */
function text({ method, path, body }: PlannedRequest): string {
  const { base64, ...rest } = body as { base64?: string };
  return requestText({ method, path, body: base64 === undefined ? rest : { ...rest, photo: base64 } });
}
