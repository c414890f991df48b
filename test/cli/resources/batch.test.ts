import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/errors/ended-run.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { type Facility, facility } from '../../helpers/facility.ts';
import { startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let make: Facility;
const run = (line: string[], options: CliOptions = {}) =>
  cs(line, {
    ...options,
    env: { CS_BASE_URL: service.url, CS_API_KEY: service.key, ...options.env },
  });
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
});
afterAll(() => service.close());

describe('updating several', () => {
  test('by name, by id and from stdin, each once', async () => {
    const [a, b] = [
      await make.contact({ lastName: 'Abel' }),
      await make.contact({ lastName: 'Babel' }),
    ];
    const { code, json } = await run([
      'contacts',
      'update',
      'Grace Abel',
      a.id,
      b.id,
      '--role',
      'assistant',
    ]);
    expect([code, json.map(({ id, role }: { id: string; role: string }) => [id, role])]).toEqual([
      0,
      [
        [a.id, 'assistant'],
        [b.id, 'assistant'],
      ],
    ]);
    const ids = (await run(['contacts', 'list', '--q', 'abel', '-o', 'id'])).stdout;
    expect(
      (
        await run(['contacts', 'update', '--ids', '-', '--clear', 'role', '-o', 'id'], {
          stdin: ids,
        })
      ).stdout,
    ).toBe(ids);
  });

  test.each([
    ['contacts', 'delete', '', '--yes'],
    ['contacts', 'update', 'Grace', ' ', '--role', 'other'],
    ['appointments', 'cancel', ''],
  ])('an empty name is a usage error: cs %s %s', async (...line) => {
    const { code, error } = await run(line);
    expect([code, error.message]).toEqual([2, 'A name is empty.']);
  });

  test('continues after a failure, lists it, and exits 11', async () => {
    const [a, b] = [await make.contact(), await make.contact()];
    const { code, json, error } = await run([
      'contacts',
      'update',
      '--ids',
      [a.id, unknown, b.id].join(','),
      '--role',
      'other',
    ]);
    expect([code, error.code]).toEqual([11, 'partial']);
    expect(json).toMatchObject([
      { id: a.id, role: 'other' },
      { id: unknown, error: { code: 'not_found' } },
      { id: b.id, role: 'other' },
    ]);
    expect(error.details.failed).toMatchObject([{ id: unknown, code: 'not_found' }]);
    const person = await run(
      ['contacts', 'update', '--ids', [a.id, unknown].join(','), '--role', 'other'],
      { as: 'terminal' },
    );
    expect(person.stderr).toContain(`  ${unknown}  not_found: `);
    expect(
      (
        await run([
          'contacts',
          'update',
          '--ids',
          [a.id, unknown].join(','),
          '--role',
          'other',
          '-o',
          'id',
        ])
      ).stdout,
    ).toBe(`${a.id}\n`);
  });

  test('reads one name per line, which can contain spaces and commas', async () => {
    const a = await make.contact({ lastName: 'van der Berg, senior' });
    const { code, json } = await run(['contacts', 'update', '--ids', '-', '--role', 'other'], {
      stdin: 'Grace van der Berg, senior\r\n\n',
    });
    expect([code, json.map(({ id }: { id: string }) => id)]).toEqual([0, [a.id]]);
  });

  test('stops at an error that concerns every record', async () => {
    const reader = await service.keyWith(['read:contacts']);
    const [a, b] = [await make.contact(), await make.contact()];
    const { code, json } = await run(['contacts', 'update', a.id, b.id, '--role', 'other'], {
      env: { CS_API_KEY: reader },
    });
    expect(code).toBe(5);
    expect(json).toMatchObject([
      { id: a.id, error: { code: 'missing_scope' } },
      { id: b.id, error: { code: 'not_tried' } },
    ]);
  });

  test('reports what was done when it is stopped', async () => {
    const [first, second, third] = [
      await make.contact(),
      await make.contact(),
      await make.contact(),
    ];
    const stop = new AbortController();
    const proxy = await startFaultyProxy(service.url, ({ method, url }) => {
      if (method !== 'PATCH' || !url.includes(second.id)) return undefined;
      stop.abort(new Interrupted('SIGINT'));
      return 'silence';
    });
    const { code, json, error } = await run(
      ['contacts', 'update', first.id, second.id, third.id, '--role', 'other'],
      {
        env: { CS_BASE_URL: proxy.url },
        signal: stop.signal,
      },
    );
    await proxy.close();
    expect([code, error.code]).toEqual([130, 'interrupted']);
    expect(json).toMatchObject([
      { id: first.id, role: 'other' },
      { id: second.id, error: { code: 'interrupted' } },
      { id: third.id, error: { code: 'not_tried' } },
    ]);
  });

  test('changes nothing when one of the names is unknown', async () => {
    const a = await make.contact();
    const { code } = await run([
      'contacts',
      'update',
      a.id,
      'Nobody Known',
      '--role',
      'bookkeeper',
    ]);
    expect([code, (await make.read(`/contacts/${a.id}`)).role]).toEqual([6, null]);
  });
});

describe('arguments', () => {
  test("an empty --ids doesn't mean all", async () => {
    expect((await run(['contacts', 'delete', '--ids', '', '--confirm', '0'])).code).toBe(2);
    const { code, json } = await run(['contacts', 'delete', '--ids', '-', '--confirm', '0'], {
      stdin: '\n',
    });
    expect([code, json]).toEqual([0, []]);
  });
  test('flags take lists, and names of other records', async () => {
    const customer = await make.customer({ firstName: 'Ann', lastName: 'Lee' });
    const { json } = await run([
      'customers',
      'update',
      'Ann Lee',
      '--tags',
      'vip,classic',
      '--tags',
      'winter',
    ]);
    expect(json.tags).toEqual(['vip', 'classic', 'winter']);
    const contact = await run([
      'contacts',
      'create',
      '--first-name',
      'Max',
      '--last-name',
      'Ray',
      '--customer',
      'Ann Lee',
    ]);
    expect(contact.json.customerId).toBe(customer.id);
    expect(
      (await run(['contacts', 'update', 'Max Ray', '--clear', 'customer'])).json.customerId,
    ).toBeNull();
    expect(
      (await run(['contacts', 'update', 'Max Ray', '--customer', customer.id])).json.customerId,
    ).toBe(customer.id);
  });
  test('finds a record without a name by the name of its car', async () => {
    const location = await make.location();
    const spot = await make.spot(location.id);
    const car = await make.car({ licensePlate: 'GO 42' });
    const assignment = await make.assignment({ carId: car.id, parkingSpotId: spot.id });
    expect((await run(['parking', 'assignments', 'get', 'go-42'])).json.id).toBe(assignment.id);
    const event = await make.event(car.id, { activityType: 'inspection' });
    expect((await run(['sessions', 'get', 'GO 42'])).json.id).toBe(event.sessionId);
  });
  test('finds a child record by its name below the same parent', async () => {
    const evening = await make.socialEvent({ title: 'Garage evening' });
    const { json } = await run([
      'social-events',
      'rsvps',
      'create',
      'garage evening',
      '--rsvp-option',
      'going',
      '--guest-name',
      'Ida',
    ]);
    const options = await make.read(`/marketing/social-events/${evening.id}/rsvp-options`);
    expect(json.rsvpOptionId).toBe(
      options.find(({ kind }: { kind: string }) => kind === 'going').id,
    );
  });
});
