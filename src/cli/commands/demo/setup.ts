import type { Client, RecordFor } from '../../../client/client.ts';
import { scopes } from '../../../contract/scopes.ts';
import type { Admin } from '../../../service/admin.ts';
import * as facility from './facility.ts';

type Service = typeof import('../../../service/admin.ts');

/** What a counter needs. The demonstration's key can do that and no more. */
const counterScopes = scopes.filter((scope) => /:(cars|customers|locations|parking|appointments)$/.test(scope));

/** Makes the demonstration's team unless it is there, and a key for it. Keys of earlier demonstrations are taken back. */
export async function makeKey(service: Service, admin: Admin): Promise<string> {
  const teams = await service.listTeams(admin);
  const team = teams.find(({ name }) => name === facility.team.name) ?? (await service.createTeam(admin, facility.team));
  for (const { name, id, revokedAt } of await service.listKeys(admin, team.slug)) {
    if (name === 'demo' && !revokedAt) await service.revokeKey(admin, id);
  }
  return (await service.createKey(admin, { team: team.slug, name: 'demo', scopes: counterScopes })).key;
}

/** Fills an empty facility through the interface. Answers whether there was anything to do. */
export async function fillFacility(client: Client): Promise<boolean> {
  // The cars come last: when they are there, so is all the rest.
  if ((await client.cars.list({ limit: 1 })).total > 0) return false;
  const spots = await makePlaces(client);
  const owners: RecordFor<'customers'>[] = [];
  for (const customer of facility.customers) owners.push(await client.customers.create({ ...customer, tags: [...customer.tags] }));
  for (const { owner, ...car } of facility.cars) {
    const { spot, ...fields } = { spot: undefined, ...car };
    const made = await client.cars.create({ ...fields, customerId: owners[owner]?.id });
    const parkingSpotId = spot && spots.get(spot);
    if (parkingSpotId)
      await client.carEvents.create(made.id, { activityType: 'drop_off', parkingSpotId, notes: 'Here before the demo began.' });
  }
  return true;
}

async function makePlaces(client: Client): Promise<Map<string, string>> {
  const spots = new Map<string, string>();
  for (const { zones, ...location } of facility.locations) {
    const { id: locationId } = await findOrCreateLocation(client, location);
    for (const { name, capacity, spots: names, kind } of zones) {
      const zone =
        (await findByName(client.parkingZones.all({ locationId }), name)) ??
        (await client.parkingZones.create({ locationId, name, capacity }));
      for (const spotName of names) {
        const spot =
          (await findByName(client.parkingSpots.all({ locationId }), spotName)) ??
          (await client.parkingSpots.create({ locationId, zoneId: zone.id, name: spotName, kind }));
        spots.set(spotName, spot.id);
      }
    }
  }
  return spots;
}

/** A demonstration that was cut off half way is taken up where it stood. */
async function findOrCreateLocation(client: Client, location: Omit<(typeof facility.locations)[number], 'zones'>): Promise<{ id: string }> {
  return (await findByName(client.locations.all(), location.name)) ?? (await client.locations.create(location));
}

async function findByName<T extends { name: string }>(records: AsyncIterable<T>, name: string): Promise<T | undefined> {
  for await (const record of records) if (record.name === name) return record;
  return undefined;
}
