/** `cs schema` asks no server, so nothing runs here. */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { results } from '../../../../src/cli/commands/schema/results.ts';
import { contract } from '../../../../src/contract/contract.ts';
import { operationsOf } from '../../../../src/contract/operations.ts';
import type { Resource } from '../../../../src/contract/resource.ts';
import { cs } from '../../../helpers/cli.ts';
import { offenders } from '../../../helpers/offenders.ts';

const resources: Resource[] = Object.values(contract);
const schema = (...words: string[]) => cs(['schema', ...words]);

test('the list fits 80 columns, has complete paths with more, and starts with the legend', async () => {
  const list = (columns: number) => cs(['schema'], { as: 'terminal', columns });
  expect((await list(80)).stdout).toMatch(/^RESOURCE +ABOUT\n/);
  const wide = (await list(200)).stdout;
  for (const { path } of resources) expect(wide).toContain(` ${path} `);
  const { stdout } = await cs(['schema', 'cars'], { as: 'terminal' });
  expect(stdout.indexOf('S: stated')).toBeLessThan(stdout.indexOf('FIELDS'));
});
test('without arguments it lists every resource with its path and verbs', async () => {
  const { code, json } = await schema();
  expect(code).toBe(0);
  const names = results.map(({ name }) => name);
  expect(json.map(({ name }: { name: string }) => name)).toEqual([
    ...Object.keys(contract),
    ...names,
  ]);
  expect(json.find(({ name }: { name: string }) => name === 'parkingSpots')).toMatchObject({
    typed: 'parking-spots',
    path: '/api/v1/parking/spots',
    verbs: ['list', 'get', 'create', 'update'],
  });
});

const onTerminal = async (columns: number, ...words: string[]) =>
  (await cs(['schema', ...words], { as: 'terminal', columns })).stdout;
const tooWide = (text: string) => text.split('\n').filter((line) => line.length > 80);
const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);

function holds(what: string, check: (resource: Resource) => Promise<void>): void {
  test(what, async () => {
    expect(await offenders(resources, check)).toEqual([]);
  });
}

holds('shows every field, filter and verb, and its schemas are JSON Schema', async (resource) => {
  const { name, fields, filters = {}, operations } = resource;
  const { code, json } = await schema(name);
  expect(code).toBe(0);
  const names = json.fields.map((field: { name: string }) => field.name);
  expect(new Set(names).size).toBe(names.length);
  const stated = Object.entries(fields).map(
    ([name, { source, create, update, read, initial, references }]) => ({
      ...{ name, source, create, update, read },
      ...(initial !== undefined && { initial }),
      ...(references && { references }),
    }),
  );
  expect(json.fields.slice(-stated.length)).toMatchObject(stated);
  if (operations.list)
    expect(json.filters).toMatchObject(
      Object.entries(filters).map(([name, { source, required }]) => ({
        ...{ name, source, required: required === true },
        flag: expect.stringMatching(/^--[a-z-]+$/),
      })),
    );
  expect(json.verbs).toMatchObject(
    operationsOf(resource).map(({ verb, method, path, scope }) => ({
      ...{ verb, method, path, scope },
    })),
  );
  for (const one of Object.values(json.schemas))
    expect(ajv.validateSchema(one as object)).toBe(true);
});
holds(
  'a page for people fits 80 columns, names every field, and breaks no word on 40',
  async ({ name, fields }) => {
    const page = await onTerminal(80, name);
    expect(tooWide(page)).toEqual([]);
    for (const field of Object.keys(fields))
      expect(page).toMatch(new RegExp(`^ {2}${field} `, 'm'));
    for (const text of [page, await onTerminal(40, name)])
      expect(text).not.toMatch(/^ *(· )?[SD]$/m);
  },
);
holds('each verb: method, path, scopes, body, codes', async (resource) => {
  for (const operation of operationsOf(resource)) {
    const { verb, method, path, scope, body, success, answer, problems } = operation;
    const { code, json } = await schema(resource.name, verb);
    const record = ['record', 'list'].includes(answer) ? expect.any(String) : null;
    expect([code, json]).toMatchObject([
      0,
      {
        ...{ resource: resource.name, method, path, scope },
        answer: { status: success, holds: answer, record },
      },
    ]);
    expect(json.body === null).toBe(body === undefined);
    expect(json.codes).toEqual(expect.arrayContaining([...(problems ?? [])]));
    const page = await onTerminal(80, resource.name, verb);
    expect(tooWide(page)).toEqual([]);
    expect(page).toContain(`${method} /api/v1${path}`);
  }
});

test.each([
  [['cars'], 'cars'],
  [['car'], 'cars'],
  [['CARS'], 'cars'],
  [['parking-spots'], 'parkingSpots'],
  [['parking', 'spots'], 'parkingSpots'],
  [['parkingSpots'], 'parkingSpots'],
  [['parking spot'], 'parkingSpots'],
  [['cars', 'events'], 'carEvents'],
  [['campaigns', 'content'], 'campaignSteps'],
  [['social-events', 'rsvp-options'], 'rsvpOptions'],
  [['threads', 'messages'], 'messages'],
  [['sessions'], 'eventSessions'],
  [['parkingspot'], 'parkingSpots'],
  [['photos'], 'carPhotos'],
])('%j is %s', async (words, name) => {
  expect((await schema(...words)).json.name).toBe(name);
});

test('with a verb after several words', async () => {
  expect((await schema('parking', 'spots', 'create')).json).toMatchObject({
    resource: 'parkingSpots',
    verb: 'create',
  });
});

test('a page tells the states that follow each other, and the limits of a field', async () => {
  const { stdout } = await cs(['schema', 'appointments'], { as: 'terminal' });
  expect(stdout).toContain('checked_in → in_progress, completed, cancelled');
  const facts = stdout.replace(/\s+/g, ' ');
  expect(facts).toContain('up to 255 characters, or null · optional · can be changed · S');
  expect(facts).toContain('at least 1, or null · optional · never changes · S');
  const photos = (await onTerminal(200, 'carPhotos')).replace(/\s+/g, ' ');
  expect(photos).toContain('address, or null · optional · never changes · write-only · S');
});

test.each([
  [['wheels', 'create'], 'Unknown resource "wheels create".', '`cs schema` lists them'],
  [['cars', 'crate'], 'Unknown cars verb "crate".', 'did you mean create?'],
  [['me', 'explode'], 'Unknown me verb "explode".', 'it has get'],
  [['events'], 'Unknown resource "events".', expect.anything()],
])('%j', async (words, message, hint) => {
  const { code, error } = await schema(...words);
  expect([code, error.message, error.hint]).toEqual([2, message, hint]);
});
