/** `cs import --upsert-by` and `--map`: files of other systems, with their own columns and keys. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { json, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

let service: TestService;
let make: Facility;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  make = facility(service);
  folder = await makeFolder();
});
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

const run = (
  line: string[],
  { url = service.url, ...options }: CliOptions & { url?: string } = {},
) =>
  cs(['import', ...line], {
    cwd: folder,
    ...options,
    env: { CS_BASE_URL: url, CS_API_KEY: service.key, ...options.env },
  });
const file = (name: string, text: string) => writeFile(join(folder, name), text);
const read = async (path: string) => (await service.call('GET', path)).body;

describe('--upsert-by', () => {
  test('updates the one record with the value, in any spelling, and creates the others', async () => {
    const car = await make.car({ vin: 'WDB-123', nickname: null });
    await file(
      'cars.csv',
      'year,make,model,vin,nickname\n1964,Jaguar,E-Type,wdb-123,Greta\n1973,Porsche,911,VIN2,Otto\n',
    );
    const { code, json: rows } = await run(['cars', 'cars.csv', '--upsert-by', 'vin']);
    expect([code, rows]).toMatchObject([
      0,
      [
        { row: 2, did: 'updated', id: car.id },
        { row: 3, did: 'created' },
      ],
    ]);
    expect((await read(`/cars/${car.id}`)).data).toMatchObject({ nickname: 'Greta', year: 1964 });
    expect((await run(['cars', 'cars.csv', '--upsert-by', 'vin'])).json).toMatchObject([
      { did: 'updated' },
      { did: 'updated', id: rows[1].id },
    ]);
    expect((await read('/cars?vin=VIN2')).total).toBe(1);
  });

  test('records below others are looked up in the list of theirs', async () => {
    const field = { key: 'name', label: 'Name', type: 'text', required: false };
    const forms = ['upsert-a', 'upsert-b'].map(async (slug) => {
      const form = await service.call('POST', '/marketing/forms', {
        name: slug,
        slug,
        status: 'published',
        fields: [field],
      });
      const { id } = form.body.data;
      const made = await service.call('POST', `/marketing/forms/${id}/submissions`, {
        data: {},
        externalId: 'web-7',
      });
      return { form: id, submission: made.body.data.id };
    });
    const [first, second] = await Promise.all(forms);
    await file(
      'answers.ndjson',
      '{"formId":"upsert-b","externalId":"web-7","status":"reviewed"}\n',
    );
    const { code, json } = await run([
      'form-submissions',
      'answers.ndjson',
      '--upsert-by',
      'externalId',
      '--skip-read-only',
    ]);
    expect([code, json]).toMatchObject([0, [{ did: 'updated', id: second?.submission }]]);
    const statusOf = async (one: typeof first) =>
      (await read(`/marketing/forms/${one?.form}/submissions/${one?.submission}`)).data.status;
    expect([await statusOf(first), await statusOf(second)]).toEqual(['new', 'reviewed']);
  });

  test('an update needs only the fields that it changes, and a create all of them', async () => {
    const car = await make.car({ licensePlate: 'HH-E 61H' });
    await file(
      'plates.ndjson',
      '{"licensePlate":"HH-E 61H","nickname":"Emma"}\n{"licensePlate":"HH-X 1","nickname":"Xenia"}\n',
    );
    const { code, json: rows } = await run([
      'cars',
      'plates.ndjson',
      '--upsert-by',
      'license-plate',
      '--rejects',
      'rejects',
    ]);
    expect([code, rows]).toMatchObject([
      11,
      [
        { did: 'updated', id: car.id },
        {
          did: 'failed',
          error: {
            code: 'validation_failed',
            message: expect.stringContaining('No car has this licensePlate, and for a new one'),
          },
        },
      ],
    ]);
  });

  test.each([
    ['HH-UP 7', 'HHUP7'],
    ['HHUQ8', 'HH-UQ 8'],
  ])('the plate %s as %s is refused: it may be the same car', async (stored, typed) => {
    const car = await make.car({ licensePlate: stored });
    await file('spelled.csv', `licensePlate,year,make,model\n${typed},2002,VW,Golf\n`);
    const { code, error } = await run(['cars', 'spelled.csv', '--upsert-by', 'licensePlate']);
    expect([code, error.code]).toEqual([14, 'ambiguous_name']);
    expect(error.details.failed[0].message).toContain(`${car.id} is ${stored}`);
  });

  test('a row that several records match is refused', async () => {
    const twins = [
      await make.customer({ email: 'twin@example.com' }),
      await make.customer({ email: 'twin@example.com' }),
    ];
    await file('twins.csv', 'email,firstName\nTwin@example.com,New\n');
    const { code, error } = await run(['customers', 'twins.csv', '--upsert-by', 'email']);
    expect([code, error.code]).toEqual([14, 'ambiguous_name']);
    for (const { id } of twins) expect(error.details.failed[0].message).toContain(id);
    expect(
      (await read('/customers?email=twin@example.com')).data.map(
        ({ firstName }: { firstName: string }) => firstName,
      ),
    ).not.toContain('New');
  });

  test.each([
    ['a row without the value', 'email,firstName\n,Ann\n', 'email is required for --upsert-by'],
    [
      'two rows with the same value',
      'email,firstName\na@example.com,Ann\nA@Example.com,Bea\n',
      'email is the same as in line 2',
    ],
  ])('%s is invalid, and nothing is sent', async (_, text, message) => {
    await file('wrong.csv', text);
    const { code, error } = await run(['customers', 'wrong.csv', '--upsert-by', 'email']);
    expect([code, error.details.issues[0].message]).toEqual([3, expect.stringContaining(message)]);
  });

  test.each([
    [['customers', 'x.csv', '--upsert-by', 'firstName'], 'choose email or externalId'],
    [
      ['car-events', 'x.csv', '--upsert-by', 'notes'],
      'leave it out; --update takes rows with an id',
    ],
    [['cars', 'x.csv', '--upsert-by', 'vin', '--update'], 'leave one of them out'],
  ])('cs import %j is refused', async (line, hint) => {
    expect(await run(line)).toMatchObject({ code: 2, error: { hint } });
  });

  test('--dry-run shows the creates, and says that they may be updates', async () => {
    await file('dry.csv', 'year,make,model,vin\n1973,Porsche,911,VIN2\n');
    const { code, stdout, stderr } = await run(
      ['cars', 'dry.csv', '--upsert-by', 'vin', '--dry-run'],
      { as: 'terminal' },
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('POST')]);
    expect(stderr).toContain('A row whose vin a record has already updates that record instead.');
  });

  describe('a server that ignores the filter', () => {
    const startServer = async (records: object[]) => {
      const server = await startMisbehavingServer(({ method, url }) =>
        method === 'GET' && url.includes('/cars')
          ? json(200, { data: records, page: 1, limit: 200, total: records.length })
          : json(method === 'POST' ? 201 : 200, { data: { id: url.split('/').at(-1) } }),
      );
      return {
        server,
        writes: () =>
          server.requests
            .filter(({ method }) => method !== 'GET')
            .map(({ method, url }) => `${method} ${url.replace(/.*v1/, '')}`),
      };
    };
    const row = 'year,make,model,vin\n1973,Porsche,911,VIN2\n';

    test('its list is read whole, and the right record is updated', async () => {
      const { server, writes } = await startServer([
        { id: 'a', vin: 'VIN1' },
        { id: 'b', vin: 'VIN2' },
      ]);
      await file('row.csv', row);
      expect((await run(['cars', 'row.csv', '--upsert-by', 'vin'], { url: server.url })).code).toBe(
        0,
      );
      expect(writes()).toEqual(['PATCH /cars/b']);
      await server.close();
    });

    test('where its records lack the field, nothing is written', async () => {
      const { server, writes } = await startServer([{ id: 'a' }, { id: 'b' }]);
      await file('row.csv', row);
      const { code, error } = await run(['cars', 'row.csv', '--upsert-by', 'vin'], {
        url: server.url,
      });
      expect([code, error.code, writes()]).toEqual([9, 'filter_ignored', []]);
      await server.close();
    });
  });
});

describe('--map', () => {
  test('another field for a column makes other rows', async () => {
    await file('firms.csv', 'Firma,Mail\nEk GmbH,ek@example.com\n');
    const rows = [];
    for (const field of ['lastName', 'companyName', 'companyName'])
      rows.push(
        ...(await run(['customers', 'firms.csv', '--map', `${field}=Firma`, '--map', 'email=Mail']))
          .json,
      );
    expect(rows.map(({ did }) => did)).toEqual(['created', 'created', 'already_imported']);
  });

  test('fills fields from columns with other names, nested ones too', async () => {
    await file('people.csv', 'Surname;E-Mail;Town;status\nMapped;mapped@example.com;Lübeck;lead\n');
    const map = [
      '--map',
      'lastName=Surname',
      '--map',
      'email=E-Mail',
      '--map',
      'address.city=Town',
    ];
    const { code, json: rows } = await run(['customers', 'people.csv', ...map]);
    expect(code).toBe(0);
    const wanted = {
      lastName: 'Mapped',
      email: 'mapped@example.com',
      address: { city: 'Lübeck' },
      status: 'lead',
    };
    expect((await read(`/customers/${rows[0].id}`)).data).toMatchObject(wanted);
    await file(
      'people.ndjson',
      '{"Surname":"Mapped","E-Mail":"mapped2@example.com","Town":"Lübeck","status":"lead"}\n',
    );
    const again = await run(['customers', 'people.ndjson', ...map]);
    expect((await read(`/customers/${again.json[0].id}`)).data).toMatchObject({
      ...wanted,
      email: 'mapped2@example.com',
    });
  });

  test.each([
    [['--map', 'lastName'], 2, 'Invalid --map "lastName".'],
    [
      ['--map', 'lastNam=Surname'],
      2,
      "--map: lastNam isn't a field of customers; did you mean lastName?.",
    ],
    [['--map', 'lastName=Surname', '--map', 'lastName=Town'], 2, '--map names lastName twice.'],
    [
      ['--map', 'lastName=Family'],
      3,
      "The columns of the file don't fit the fields; nothing was sent.",
    ],
    [
      ['--map', 'status=Surname'],
      3,
      "The columns of the file don't fit the fields; nothing was sent.",
    ],
  ])('%j is refused', async (flags, code, message) => {
    await file('odd.csv', 'Surname,status\nMapped,lead\n');
    expect(await run(['customers', 'odd.csv', ...flags])).toMatchObject({
      code,
      error: { message },
    });
  });

  test.each([
    ['Surname=lastName', 'the field comes first: --map lastName=Surname'],
    [
      'lastName=Surname,email=E-Mail',
      'repeat --map for each field: --map year=Year --map make=Make',
    ],
  ])('%s: the hint tells how it is written', async (text, hint) => {
    await file('odd.csv', 'Surname,status\nMapped,lead\n');
    expect((await run(['customers', 'odd.csv', '--map', text])).error.hint).toBe(hint);
  });
});
