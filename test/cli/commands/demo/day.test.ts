/** The day that the demonstration fills, as `cs today` reads it. */
import { describe, expect, test } from 'vitest';
import { fillDay } from '../../../../src/cli/commands/demo/day.ts';
import { seedFacility } from '../../../../src/cli/commands/demo/setup.ts';
import { facilityReader } from '../../../../src/cli/commands/live/read.ts';
import { dayOf } from '../../../../src/cli/input/day.ts';
import { type Client, createClient } from '../../../../src/client/client.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();

async function demoAt(now: Date): Promise<Client> {
  const { key } = await service.newTeam();
  const client = createClient({ baseUrl: service.url, key });
  await seedFacility(client, now);
  expect(await fillDay(client, now)).toBe(true);
  return client;
}
const sectionsOf = async (client: Client, now: Date) => {
  const asked = { day: dayOf(now), now, locationId: undefined, checklistOf: () => [] };
  const { day } = await facilityReader(client).day(asked, {});
  return Object.fromEntries(Object.entries(day).map(([name, some]) => [name, some.length]));
};
const everything = {
  arrivals: 3,
  departures: 2,
  other: 1,
  late: 1,
  walkIns: 1,
  withoutPhotos: 1,
  waitingForApproval: 1,
};

/** Today's minutes of the day: events can't lie in the future of the service's clock, so the days are past ones. */
const at = (hour: number, minutes: number, day = 1) => new Date(2026, 0, day, hour, minutes, 30);

describe('every section of the day has something', () => {
  test.each([
    ['just after midnight', at(0, 3)],
    ['just before midnight', at(23, 57)],
  ])('%s', async (_name, now) => {
    const client = await demoAt(now);
    const { arrivals, departures, ...rest } = await sectionsOf(client, now);
    expect({ arrivals, departures, ...rest }).toMatchObject({
      ...everything,
      late: expect.any(Number),
    });
    expect(rest.late).toBeGreaterThan(0);
    await client.close();
  });
});

test('is filled once a day, and the next day begins without what the last one left open', async () => {
  const now = at(9, 12);
  const client = await demoAt(now);
  expect(await fillDay(client, now)).toBe(false);
  expect(await sectionsOf(client, now)).toEqual(everything);
  // A customer has written, and nobody has answered.
  const [thread] = await Array.fromAsync(client.threads.all({ status: 'open' }));
  const messages = await Array.fromAsync(client.messages.all(thread?.id as string));
  expect(messages).toMatchObject([{ direction: 'inbound', status: 'received' }]);
  const tomorrow = at(14, 0, 2);
  expect(await fillDay(client, tomorrow)).toBe(true);
  expect(await sectionsOf(client, tomorrow)).toMatchObject({
    late: 1,
    withoutPhotos: 1,
    waitingForApproval: 1,
  });
  await client.close();
});
