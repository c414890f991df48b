/** Two services on one database, and a counter at each. */
import { afterAll, expect, test } from 'vitest';
import { startChildService } from '../../../helpers/child-service.ts';
import { facility } from '../../../helpers/facility.ts';
import { send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const other = await startChildService(service.data, service.database as string);
afterAll(async () => {
  await other.stop('SIGTERM');
  await service.close();
});
const make = facility(service);

test('two pick-ups of one car at once, each at its own service: one is stored, the other is told', async () => {
  const spot = await make.spot((await make.location()).id);
  for (const _ of Array.from({ length: 40 })) {
    const car = await make.car();
    await make.event(car.id, { parkingSpotId: spot.id });
    const answers = await Promise.all(
      [service.url, other.url].map((url) =>
        send(
          `${url}/api/v1/cars/${car.id}/events`,
          'POST',
          { activityType: 'pick_up' },
          {
            'x-api-key': service.key,
            'if-parked-in': spot.id,
          },
        ),
      ),
    );
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      201,
      'parking_changed',
    ]);
    expect((await service.call('GET', `/cars/${car.id}/events`)).body.total).toBe(2);
  }
});
