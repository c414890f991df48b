/** `cs parking spots create --name A1..A40`. */
import { expect, test } from 'vitest';
import { namesInRange } from '../../../src/cli/resources/range.ts';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const location = (await facility(service).location({ name: 'Main' })).id;

test.each([
  ['A1..A3', ['A1', 'A2', 'A3']],
  ['A09..A11', ['A09', 'A10', 'A11']],
  ['Hall 2-9..Hall 2-10', ['Hall 2-9', 'Hall 2-10']],
  ['7..7', ['7']],
  ['A1', undefined],
  ['left..right', undefined],
])('%s', (text, names) => {
  expect(namesInRange(text, '--name')).toEqual(names);
});

test.each([
  ['A40..A1', 'its first number is above its last'],
  ['A1..', 'it needs a number at both ends'],
  ['..A3', 'it needs a number at both ends'],
  ['A1..B4', 'its ends begin differently'],
  ['A1..4', 'its ends begin differently'],
  ['A01..A9', 'its numbers have different lengths'],
  ['A1..A5000', 'it has 5000 names, and 500 at once are possible'],
])('%s is refused before the first request', async (name, why) => {
  const { error } = await cs(['parking', 'spots', 'create', '--location', 'Main', '--name', name], {
    env,
  });
  expect(error).toMatchObject({
    exitCode: 2,
    message: `--name: "${name}" isn't a range of names: ${why}.`,
  });
});

test('a dry run shows each request; the rest is created where some exist already, with their names and exit 11', async () => {
  const line = ['parking', 'spots', 'create', '--location', 'Main', '--kind', 'lift', '--name'];
  const planned = await cs([...line, 'A1..A3', '--dry-run'], { env });
  expect(planned.json.map(({ body }: { body: { name: string } }) => body.name)).toEqual([
    ...['A1', 'A2', 'A3'],
  ]);
  const first = await cs([...line, 'A1..A3'], { env });
  expect(first.json.map(({ name, kind }: Record<string, string>) => `${name} ${kind}`)).toEqual([
    ...['A1 lift', 'A2 lift', 'A3 lift'],
  ]);
  const more = await cs([...line, 'A3..A5'], { env });
  expect([more.code, more.error.details.failed]).toEqual([
    11,
    [expect.objectContaining({ id: 'A3', code: 'duplicate' })],
  ]);
  const { json } = await cs(['parking', 'spots', 'list', '--all'], { env });
  expect(json).toHaveLength(5);
});

test('a person reads spots by name, C2 before C10', async () => {
  const line = ['parking', 'spots', 'create', '--location', 'Main', '--name', 'C9..C11'];
  expect((await cs(line, { env })).code).toBe(0);
  expect((await cs([...line.slice(0, -1), 'C2'], { env })).code).toBe(0);
  const { stdout } = await cs(['parking', 'spots', 'list'], { env, as: 'terminal' });
  expect(stdout.match(/^C\d+/gm)).toEqual(['C2', 'C9', 'C10', 'C11']);
});

test('a range that is typed at a question is stored after the summary', async () => {
  // A person chooses by name here too, not by the last change.
  for (const name of ['Hall 2', 'Hall 10']) await facility(service).zone(location, { name });
  const terminal = openTerminal(['parking', 'spots', 'create', '--kind', 'standard'], { env });
  await terminal.waitFor('? Name');
  terminal.type('B1..C2\r');
  await terminal.waitFor('its ends begin differently');
  terminal.press('ctrl-u');
  terminal.type('B1..B2\r');
  await terminal.waitFor(/Hall 2\b[\s\S]*Hall 10\b/);
  terminal.type('\r');
  await terminal.waitFor('? Store this');
  terminal.type('\r');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toMatch(/spot created +B1[\s\S]*spot created +B2/);
});
