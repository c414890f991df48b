import type { Client, RecordFor } from '../../../client/client.ts';
import { scopes } from '../../../contract/scopes.ts';
import type { Admin } from '../../../service/admin.ts';
import * as facility from './facility.ts';

type Service = typeof import('../../../service/admin.ts');
type Accounts = typeof import('../../../service/team/owner.ts');

/** The scopes of the demo's key: those of a counter. */
const counterScopes = scopes.filter((scope) =>
  /:(cars|customers|locations|parking|appointments|communications)$/.test(scope),
);

/** The account that opens the demo's dashboard. */
const boss = { email: 'boss@garage.example', name: 'The boss' };

export interface Access {
  readonly key: string;
  /** Of a link that opens the dashboard. */
  readonly token: string;
}

/** Creates the demo's team if it is missing, a key for it, and a link for its dashboard. Revokes keys of earlier demos. */
export async function makeAccess(
  service: Service,
  accounts: Accounts,
  admin: Admin,
): Promise<Access> {
  const teams = await service.listTeams(admin);
  const team =
    teams.find(({ name }) => name === facility.team.name) ??
    (await service.createTeam(admin, facility.team));
  for (const { name, id, revokedAt } of await service.listKeys(admin, team.slug)) {
    if (name === 'demo' && !revokedAt) await service.revokeKey(admin, id);
  }
  const { key } = await service.createKey(admin, {
    team: team.slug,
    name: 'demo',
    scopes: counterScopes,
  });
  const known = (await accounts.listUsers(admin, team.slug)).some(
    ({ email }) => email === boss.email,
  );
  const { link } = await (known
    ? accounts.linkUser(admin, team.slug, boss.email)
    : accounts.createUser(admin, team.slug, boss));
  return { key, token: link.token };
}

/** Fills an empty facility through the API. Returns false if it was filled before. */
export async function seedFacility(client: Client, now: Date): Promise<boolean> {
  // Cars are created last, so their presence means that everything exists.
  if ((await client.cars.list({ limit: 1 })).data.length > 0) return false;
  const spots = await createPlaces(client);
  const owners: RecordFor<'customers'>[] = [];
  for (const customer of facility.customers)
    owners.push(await client.customers.create({ ...customer, tags: [...customer.tags] }));
  await createThread(client, owners);
  for (const [index, { owner, ...car }] of facility.cars.entries()) {
    const { spot, ...fields } = { spot: undefined, ...car };
    const created = await client.cars.create({ ...fields, customerId: owners[owner]?.id });
    const parkingSpotId = spot && spots.get(spot);
    if (parkingSpotId) {
      const occurredAt = new Date(now.getTime() - (index + 3) * 86_400_000).toISOString();
      await client.carEvents.create(created.id, {
        activityType: 'drop_off',
        parkingSpotId,
        occurredAt,
        notes: 'Here before the demo started.',
      });
    }
  }
  return true;
}

/** A message of a customer that nobody has answered. */
async function createThread(
  client: Client,
  customers: readonly RecordFor<'customers'>[],
): Promise<void> {
  const { from, subject, body } = facility.message;
  if ((await client.threads.list({ limit: 1 })).data.length > 0) return;
  const thread = await client.threads.create({
    channel: 'email',
    subject,
    customerId: customers[from]?.id,
  });
  await client.messages.create(thread.id, { direction: 'inbound', body });
}

async function createPlaces(client: Client): Promise<Map<string, string>> {
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

/** Continues a demo that was interrupted. */
async function findOrCreateLocation(
  client: Client,
  location: Omit<(typeof facility.locations)[number], 'zones'>,
): Promise<{ id: string }> {
  return (
    (await findByName(client.locations.all(), location.name)) ??
    (await client.locations.create(location))
  );
}

async function findByName<T extends { name: string }>(
  records: AsyncIterable<T>,
  name: string,
): Promise<T | undefined> {
  for await (const record of records) if (record.name === name) return record;
  return undefined;
}
