/** A facility as large as the dashboard is made for: 3 locations, 8 zones, 300 spots, 200 cars, 500 appointments, 60 keys and 30 days of use. */
import { scopes } from '../../src/contract/scopes.ts';
import { type Admin, createKey } from '../../src/service/admin.ts';

/** Creates a record below `/api/v1`. */
type Create = (path: string, body: object) => Promise<{ readonly id: string }>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const zonesOf = [
  ['Harbour', ['Hall A', 'Hall B', 'Hall C']],
  ['Old Mill', ['Hall A', 'Hall B', 'Yard']],
  ['Airport', ['Deck 1', 'Deck 2']],
] as const;
const makes = ['Porsche', 'Mercedes-Benz', 'BMW', 'Jaguar', 'Alfa Romeo'];
const models = ['911 Carrera', '280 SL', '2002 tii', 'E-Type', 'Giulia Sprint'];
const names = ['Ada Lovelace', 'Grace Hopper', 'Edith Clarke', 'Mary Jackson'];

export async function fillVolume(admin: Admin, team: string, create: Create): Promise<void> {
  const all = async <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    for (let at = 0; at < count; at += 20)
      made.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, count - at) }, (_, more) => make(at + more)),
        )),
      );
    return made;
  };
  const zones: { readonly id: string; readonly locationId: string }[] = [];
  for (const [name, halls] of zonesOf) {
    const { id: locationId } = await create('locations', { name });
    for (const hall of halls)
      zones.push({
        ...(await create('parking/zones', { locationId, name: hall, capacity: 5 })),
        locationId,
      });
  }
  const spots = await all(300, (at) => {
    const zone = zones[at % zones.length] as (typeof zones)[number];
    return create('parking/spots', {
      locationId: zone.locationId,
      zoneId: zone.id,
      name: `${'ABCDEFGH'[at % zones.length]}${Math.floor(at / zones.length) + 1}`,
    });
  });
  const customers = await all(80, (at) => {
    const [firstName = '', lastName = ''] = (names[at % names.length] ?? '').split(' ');
    return create('customers', { firstName, lastName: `${lastName} ${at}` });
  });
  const cars = await all(200, (at) =>
    create('cars', {
      year: 1955 + (at % 40),
      make: makes[at % makes.length],
      model: models[at % models.length],
      licensePlate: `HH-V ${100 + at}`,
      customerId: customers[at % customers.length]?.id,
    }),
  );
  await all(180, (at) =>
    create('parking/assignments', { carId: cars[at]?.id, parkingSpotId: spots[at]?.id }),
  );
  const today = Date.now() - (Date.now() % dayMs);
  await all(500, (at) => {
    // Ten days back, today the most, and twenty days ahead.
    const day = at < 40 ? 0 : (at % 31) - 10;
    const startAt = today + day * dayMs + (7 + (at % 11)) * hourMs;
    return create('appointments', {
      startAt: new Date(startAt).toISOString(),
      endAt: new Date(startAt + hourMs / 2).toISOString(),
      carId: cars[at % cars.length]?.id,
      customerId: customers[at % customers.length]?.id,
    });
  });
  await fillKeys(admin, team);
}

/** 60 keys with 30 days of use. */
export async function fillKeys(admin: Admin, team: string): Promise<void> {
  const today = Date.now() - (Date.now() % dayMs);
  const use = [];
  for (let at = 0; at < 60; at++) {
    const { row } = await createKey(admin, {
      team,
      name: `Program ${at + 1}`,
      scopes: scopes.slice(0, 1 + (at % scopes.length)),
    });
    for (let day = 0; day < 30; day++)
      use.push({
        teamId: row.teamId,
        apiKeyId: row.id,
        hour: new Date(today - day * dayMs + 9 * hourMs).toISOString(),
        requests: 10 + ((at * 7 + day * 3) % 90),
        refused: day % 5,
        failed: 0,
        uploads: at % 3,
      });
    await admin.database.write
      .updateTable('apiKeys')
      .set({ lastUsedAt: new Date(Date.now() - at * hourMs).toISOString() })
      .where('id', '=', row.id)
      .execute();
  }
  for (let from = 0; from < use.length; from += 500)
    await admin.database.write
      .insertInto('keyUsage')
      .values(use.slice(from, from + 500))
      .execute();
}
