/** Holds what commands print against the schema that `cs schema` prints of it. */
import { expect, test } from 'vitest';
import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import { results } from '../../../../src/cli/commands/schema/results.ts';
import type { Json } from '../../../../src/openapi/schema.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { png } from '../../../helpers/facility.ts';
import { ajv } from '../../../helpers/result-schema.ts';
import { counterOfFile, folderWith, noon } from '../counter/counter.ts';

const counter = counterOfFile();

/** Our own service adds no fields to records, so a record has no other fields either. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  return 'properties' in schema ? { ...inner, additionalProperties: false } : inner;
};

async function violations(name: string, result: unknown): Promise<unknown> {
  const { json: schema } = await cs(['schema', name]);
  const validate = ajv.compile(closed(schema) as object);
  validate(result);
  return validate.errors;
}

const run = (line: readonly string[], options: CliOptions = {}) =>
  cs(line, { env: counter.env(), now: noon, ...options });

/** Runs a command, and expects its result to be as described. */
async function expectDescribed(
  line: readonly string[],
  options: CliOptions & { code?: number } = {},
) {
  const result = await run(line, options);
  expect(result.code, result.stderr).toBe(options.code ?? 0);
  const name = results.find((one) => `${line.join(' ')} `.startsWith(`${one.name} `))
    ?.name as string;
  expect(await violations(name, result.json)).toBeNull();
  return result.json;
}

const isList = (name: string) =>
  ['audit', 'board', 'cars photos missing', 'pending resume', 'usage'].includes(name) ||
  /^(care|facility) /.test(name);

test('every schema of a result is JSON Schema, is listed, and completion offers it', async () => {
  const listed = (await cs(['schema'])).json;
  const { offers } = (await liveTree.family('schema')).arguments[0] ?? {};
  for (const { name } of results) {
    const { code, json } = await cs(['schema', name]);
    expect([code, json.title, json.$schema]).toEqual([
      0,
      name,
      'https://json-schema.org/draft/2020-12/schema',
    ]);
    expect(ajv.validateSchema(json)).toBe(true);
    const about = expect.stringContaining(`\`cs ${name}\``);
    expect(listed).toContainEqual(expect.objectContaining({ name, path: null, about }));
    expect(offers).toContain(name.split(' ')[0]);
  }
});

/** `spots.car: …` for each description in a schema. */
function descriptions(schema: Json, path: readonly string[] = []): string[] {
  const { description, properties = {}, items, anyOf = [] } = schema;
  return [
    ...(description === undefined ? [] : [`${path.join('.')}: ${description}`]),
    ...Object.entries(properties as Json).flatMap(([name, one]) =>
      descriptions(one as Json, [...path, name]),
    ),
    ...[items ?? [], anyOf].flat().flatMap((one) => descriptions(one as Json, path)),
  ];
}

test('what schemas say of results and their fields', async () => {
  // Many results share fields, and say the same of them.
  const said = new Set<string>();
  const blocks: string[] = [];
  for (const { name } of results) {
    const [about, ...fields] = descriptions((await cs(['schema', name])).json);
    const own = fields.filter((line) => {
      const field = line.replace(/^[\w.]*\.(?=\w*: )/, '');
      return !said.has(field) && said.add(field);
    });
    blocks.push([`${name}${about}`, ...own].join('\n  '));
  }
  await expect(`${blocks.join('\n')}\n`).toMatchFileSnapshot('results.txt');
});

test('a field that a schema does not name, and one that is missing, are found', async () => {
  for (const { name } of results) {
    const found = await violations(name, isList(name) ? [{ unnamed: 1 }] : { unnamed: 1 });
    for (const keyword of ['required', 'additionalProperties'])
      expect([name, found]).toEqual([
        name,
        expect.arrayContaining([expect.objectContaining({ keyword })]),
      ]);
  }
});

test('what a day at the counter prints is as described', async () => {
  const { make, hall } = counter;
  const [{ id: car }, spot, other] = [
    await counter.car(),
    await counter.spot(),
    await counter.spot(),
  ];
  const cwd = await folderWith({ 'a.png': png(1), 'b.png': png(1) });
  const env = { ...counter.env(), CS_STATE_DIR: await folderWith({}) };
  await make.event((await counter.car()).id, { parkingZoneId: hall.id });
  const photos = ['--photo', 'a.png', '--photo', 'b.png'];
  const dropoff = ['dropoff', car, '--type', 'drop_off', '--spot', spot.id, '--yes', ...photos];
  expect(await expectDescribed(dropoff, { cwd, env })).toMatchObject({
    photos: [{ sameAs: null }, { sameAs: expect.any(String) }],
  });
  for (const line of ['today', 'board', 'usage --by car', 'usage --by zone', 'usage --by customer'])
    await expectDescribed(line.split(' '), { env, code: line === 'today' ? undefined : 0 });
  await expectDescribed(['move', car, '--spot', other.id], { env });
  await expectDescribed(['undo', '--yes'], { env });
  await run(['pickup', car, '--yes', '--offline'], { env, now: new Date() });
  const resumed = await expectDescribed(['pending', 'resume'], { env, now: new Date() });
  expect(resumed).toMatchObject([{ status: 'finished' }]);
});

test.each([
  ['csk_abcdefghijkl.wrong', 4],
  [undefined, 0],
])('doctor with the key %s', async (key, code) => {
  expect(await expectDescribed(['doctor'], { env: counter.env(key), code })).toMatchObject({
    ok: code === 0,
  });
});
