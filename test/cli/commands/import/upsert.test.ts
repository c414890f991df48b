/** `cs import --upsert-by` and `--map`: files of other systems, with their own columns and keys. */
import { describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { facility } from '../../../helpers/facility.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { testService } from '../../../helpers/service.ts';

const service = await testService();
const make = facility(service);

const run = (
  stdin: string,
  [resource, ...flags]: [string, ...string[]],
  { url = service.url, ...options }: CliOptions & { url?: string } = {},
) =>
  cs(['import', resource, '-', ...flags], {
    ...options,
    stdin,
    env: { CS_BASE_URL: url, CS_API_KEY: service.key },
  });
const read = async (path: string) => (await service.call('GET', path)).body;

describe('--upsert-by', () => {
  test('updates the one record with the value, in any case, and creates the others', async () => {
    const car = await make.car({ vin: 'WDB-123', nickname: null });
    const cars = 'year,make,model,vin,nickname\n1964,Jaguar,E-Type,WDB-123,';
    const stdin = (name: string) => `${cars}${name}\n1973,Porsche,911,vin2,Otto\n`;
    const { code, json: rows } = await run(stdin('Greta'), ['cars', '--upsert-by', 'VIN']);
    expect([code, rows]).toMatchObject([
      ...[
        0,
        [
          { row: 2, did: 'updated', id: car.id },
          { row: 3, did: 'created' },
        ],
      ],
    ]);
    expect((await read(`/cars/${car.id}`)).data).toMatchObject({ nickname: 'Greta', year: 1964 });
    const again = await run(stdin('Greta'), ['cars', '--upsert-by', 'vin'], { as: 'terminal' });
    expect(again.stdout).toContain('2 cars unchanged');
    expect((await run(stdin('Emma'), ['cars', '--upsert-by', 'vin'])).json).toMatchObject([
      { did: 'updated' },
      { id: rows[1].id },
    ]);
    expect((await read('/cars?vin=VIN2')).total).toBe(1);
  });

  test('records below others are looked up in the list of theirs', async () => {
    const field = { key: 'name', label: 'Name', type: 'text', required: false };
    const [first, second] = await Promise.all(
      ['upsert-a', 'upsert-b'].map(async (slug) => {
        const form = { name: slug, slug, status: 'published', fields: [field] };
        const { id } = (await service.call('POST', '/marketing/forms', form)).body.data;
        const path = `/marketing/forms/${id}/submissions`;
        const made = await service.call('POST', path, { data: {}, externalId: 'web-7' });
        return { path: `${path}/${made.body.data.id}`, id: made.body.data.id };
      }),
    );
    const stdin =
      '{"id":"of an export","formId":"upsert-b","externalId":"web-7","status":"reviewed"}\n';
    const flags = ['--upsert-by', 'external-id', '--skip-read-only'];
    const { code, json } = await run(stdin, ['form-submissions', ...flags]);
    expect([code, json]).toMatchObject([0, [{ did: 'updated', id: second?.id }]]);
    const statusOf = async (one: typeof first) => (await read(String(one?.path))).data.status;
    expect([await statusOf(first), await statusOf(second)]).toEqual(['new', 'reviewed']);
  });

  test('an update needs only the fields that it changes, and a create all of them', async () => {
    const car = await make.car({ licensePlate: 'HH-E 61H' });
    const stdin = 'License plate,nickname\nHH-E 61H,Emma\nHH-X 1,Xenia\n';
    const flags = ['--upsert-by', 'license-plate', '--parallel', '1'];
    const { code, json: rows } = await run(stdin, ['cars', ...flags]);
    const message = expect.stringContaining('No car has this licensePlate, and for a new one');
    expect([code, rows]).toMatchObject([
      11,
      [
        { did: 'updated', id: car.id },
        { did: 'failed', error: { code: 'validation_failed', message } },
      ],
    ]);
  });

  test.each([
    ['HH-UP 7', 'HHUP7'],
    ['HHUQ8', 'HH-UQ 8'],
  ])('the plate %s as %s is refused: it may be the same car', async (stored, typed) => {
    const car = await make.car({ licensePlate: stored });
    const stdin = `licensePlate,year,make,model\n${typed},2002,VW,Golf\n`;
    const { code, error } = await run(stdin, ['cars', '--upsert-by', 'licensePlate']);
    expect([code, error.code]).toEqual([14, 'ambiguous_name']);
    expect(error.details.failed[0].message).toContain(`${car.id} is ${stored}`);
  });

  test('a row that several records match is refused', async () => {
    const email = 'twin@example.com';
    const twins = [await make.customer({ email }), await make.customer({ email })];
    for (const typed of ['Twin@example.com', email]) {
      const stdin = `email,firstName\n${typed},New\n`;
      const { code, error } = await run(stdin, ['customers', '--upsert-by', 'email']);
      expect([code, error.code]).toEqual([14, 'ambiguous_name']);
      for (const { id } of twins) expect(error.details.failed[0].message).toContain(id);
    }
    const names = (await read(`/customers?email=${email}`)).data.map(
      ({ firstName }: { firstName: string }) => firstName,
    );
    expect(names).not.toContain('New');
  });

  test('--dry-run shows the creates, and says that they may be updates', async () => {
    const stdin = 'year,make,model,vin,nickname\n1973,Porsche,911,VIN2,\n,,,VIN3,Emma\n';
    const line: [string, ...string[]] = ['cars', '--upsert-by', 'vin', '--dry-run'];
    const { code, json } = await run(stdin, line);
    expect([code, json]).toMatchObject([
      ...[0, [{ method: 'POST' }, { method: 'PATCH', path: '/api/v1/cars/ID' }]],
    ]);
    expect((await run(stdin, line, { as: 'terminal' })).stderr).toContain(
      'A row whose vin a record has already updates that record instead.',
    );
  });

  test.each([
    [
      'its list is read whole',
      [
        { id: 'a', vin: 'V1' },
        { id: 'b', vin: 'V2' },
      ],
      0,
      ['/cars/b'],
    ],
    ['its records lack the field: nothing is written', [{ id: 'a' }, { id: 'b' }], 9, []],
  ])('a server that ignores the filter: %s', async (_, data, exitCode, patched) => {
    const server = await startMisbehavingServer(({ method, url }) =>
      method === 'GET' && url.includes('/cars')
        ? json(200, { data, page: 1, limit: 200, total: data.length })
        : json(method === 'POST' ? 201 : 200, { data: { id: url.split('/').at(-1) } }),
    );
    const stdin = 'year,make,model,vin\n1973,Porsche,911,V2\n';
    const line: [string, ...string[]] = ['cars', '--upsert-by', 'vin'];
    const { code, stderr } = await run(stdin, line, { url: server.url });
    const writes = server.requests.filter(({ method }) => method !== 'GET');
    expect([code, writes.map(({ url }) => url.replace(/.*v1/, ''))]).toEqual([exitCode, patched]);
    if (exitCode === 9)
      for (const text of [
        "This server doesn't tell which of the cars has this vin, so nothing was sent",
        'import them without --upsert-by, which creates each of them, or by another field',
      ])
        expect(stderr).toContain(text);
    await server.close();
  });
});

describe('--map', () => {
  test('fills fields from columns and keys with other names, nested ones too', async () => {
    const flags = ['last-name=Surname', 'email=Mail', 'address.city=Town'];
    const map = flags.flatMap((one) => ['--map', one]);
    for (const stdin of [
      'Surname;Mail;Town;status\nMapped;mapped@example.com;Lübeck;lead\n',
      '{"Surname":"Mapped","Mail":"mapped@example.com","Town":"Lübeck","status":"lead"}\n',
    ]) {
      const { json: rows } = await run(stdin, ['customers', ...map]);
      expect((await read(`/customers/${rows[0].id}`)).data).toMatchObject({
        lastName: 'Mapped',
        email: 'mapped@example.com',
        status: 'lead',
        address: { city: 'Lübeck' },
      });
    }
  });
});
