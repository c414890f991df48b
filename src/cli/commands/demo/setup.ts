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
  if ((await client.locations.list({ limit: 1 })).data.length > 0) return false;
  const spots = await createPlaces(client);
  const owners: RecordFor<'customers'>[] = [];
  for (const customer of facility.customers) owners.push(await client.customers.create(customer));
  // A message of a customer that nobody has answered.
  const { from, subject, body } = facility.message;
  const customerId = owners[from]?.id;
  const thread = await client.threads.create({ channel: 'email', subject, customerId });
  await client.messages.create(thread.id, { direction: 'inbound', body });
  for (const [index, { owner, spot, ...fields }] of facility.cars.entries()) {
    const created = await client.cars.create({ ...fields, customerId: owners[owner]?.id });
    const parkingSpotId = spot && spots.get(spot);
    if (!parkingSpotId) continue;
    await client.carEvents.create(created.id, {
      activityType: 'drop_off',
      parkingSpotId,
      occurredAt: new Date(now.getTime() - (index + 3) * 86_400_000).toISOString(),
      notes: 'Here before the demo started.',
    });
  }
  return true;
}

async function createPlaces(client: Client): Promise<Map<string, string>> {
  const spots = new Map<string, string>();
  for (const { zones, ...location } of facility.locations) {
    const { id: locationId } = await client.locations.create(location);
    for (const { name: zoneName, capacity, spots: names, kind } of zones) {
      const zone = await client.parkingZones.create({ locationId, name: zoneName, capacity });
      for (const name of names) {
        const spot = { locationId, zoneId: zone.id, name, kind };
        spots.set(name, (await client.parkingSpots.create(spot)).id);
      }
    }
  }
  return spots;
}
