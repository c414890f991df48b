/** Every operation of the contract can be done from the command, as a person and as a script would. */

import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/cli/commands/catalogue.ts';
import { Command } from '../../src/cli/framework/command.ts';
import { type CommandInfo, describeCommand } from '../../src/cli/framework/tree/manifest.ts';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, walk } from '../../src/contract/operations.ts';
import { type CliOptions, cs } from '../helpers/cli.ts';
import { example, fill, named, queryOf, samplesOf } from '../helpers/samples.ts';
import { testService } from '../helpers/service.ts';

/** The words that lead to the command of each operation. */
const found = new Map<string, string[]>();
for (const { name, load } of catalogue) {
  const command = new Command(name);
  (await load())(command);
  visit(describeCommand(command), [name]);
}
function visit({ operations, commands }: CommandInfo, path: string[]): void {
  for (const operation of operations) found.set(operation, path);
  for (const below of commands) visit(below, [...path, below.name]);
}
// Who one is: `cs auth status` shows it among other things.
found.set('me.get', ['auth', 'status']);
const operations = [...walk(contract)];

test('every operation has a command', () => {
  expect(operations.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});

const service = await testService();
const of = samplesOf(service, service.key);
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };

const run = (words: string[], options: CliOptions = {}) =>
  cs([...words, '--no-input'], { env, ...options });
const plain = (verb: string) =>
  operations
    .filter((operation) => operation.verb === verb && derived(operation))
    .map((one) => [one.id, one] as const);
/** Commands made by the contract end with the verb itself, and are no singleton's. */
const derived = ({ id, verb, resource }: Operation) =>
  found.get(id)?.at(-1) === verb && !resource.singleton;
const wordsOf = ({ id }: Operation) => found.get(id) as string[];

describe.each(plain('list'))('%s', (_, operation) => {
  test('shows a record to a script and to a person', async () => {
    const parents = await of.ids(operation);
    const made = operation.resource.computed ? undefined : await madeBelow(operation, parents);
    const needed = Object.fromEntries(new URLSearchParams(queryOf(operation)));
    const flags = Object.entries(needed).flatMap(([name, value]) => [`--${name}`, value]);
    const words = [...wordsOf(operation), ...(made?.parents ?? parents), ...flags];
    const script = await run([...words, '--all']);
    expect([script.code, script.stderr]).toEqual([0, '']);
    if (made) expect(script.json.map(({ id }: { id: string }) => id)).toContain(made.id);
    const person = await run(words, { as: 'terminal' });
    expect(person.code).toBe(0);
    for (const line of person.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe.each(plain('get'))('%s', (_, operation) => {
  test('gets one record, and several', async () => {
    const ids = await of.ids(operation);
    const one = await run([...wordsOf(operation), ...ids]);
    expect([one.code, one.json.id]).toEqual([0, ids.at(-1)]);
    const several = await run([...wordsOf(operation), ...ids.slice(0, -1), '--ids', '-'], {
      stdin: `${ids.at(-1)}\n`,
    });
    expect([several.code, several.json]).toEqual([0, [one.json]]);
    expect((await run([...wordsOf(operation), ...ids], { as: 'terminal' })).stdout).toContain(
      ids.at(-1),
    );
  });
});

describe.each(plain('create'))('%s', (_, operation) => {
  test('creates a record from a body, and none with --dry-run', async () => {
    const parents = await of.ids(operation);
    const body = await of.body(operation.resource, parents[0]);
    const words = [...wordsOf(operation), ...parents, '--input', '-'];
    const planned = await run([...words, '--dry-run'], { stdin: JSON.stringify(body) });
    expect(planned.json).toMatchObject({
      dryRun: true,
      method: 'POST',
      path: `/api/v1${fill(operation.path, parents)}`,
    });
    const made = await run(words, { stdin: JSON.stringify(body) });
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect((await of.read(fill(`${operation.path}/{id}`, [...parents, made.json.id]))).id).toBe(
      made.json.id,
    );
  });
});

describe.each(plain('update'))('%s', (_, operation) => {
  test('updates one by a flag', async () => {
    const ids = await of.ids(operation);
    const [field, value] = changeable(operation);
    const words = [...wordsOf(operation), ...ids];
    const planned = await run([...words, `--${field}`, value, '--dry-run']);
    expect([planned.stderr, planned.json.method]).toEqual(['', 'PATCH']);
    const changed = await run([...words, `--${field}`, value]);
    expect([changed.code, changed.stderr]).toEqual([0, '']);
    expect(changed.json.id).toBe(ids.at(-1));
  });
});

describe.each(plain('delete'))('%s', (_, operation) => {
  test('asks for confirmation, and for the count of several', async () => {
    const ids = await of.ids(operation);
    const words = [...wordsOf(operation), ...ids.slice(0, -1)];
    const own = ids.at(-1) as string;
    expect((await run([...words, own])).code).toBe(2);
    expect((await run([...words, '--ids', own, '--yes'])).code).toBe(2);
    expect((await run([...words, '--ids', own, '--confirm', '2'])).code).toBe(2);
    const deleted = await run([...words, '--ids', own, '--confirm', '1']);
    // With a parameter, it only deactivates by default.
    const said = operation.query ? `${own} is deactivated, not deleted.\n` : '';
    expect([
      deleted.code,
      deleted.stderr,
      deleted.json.map(({ id }: { id: string }) => id),
    ]).toEqual([0, said, [own]]);
    const again = await run([...words, own, '--yes']);
    expect(again.code).toBe(operation.query ? 0 : 6);
  });
});

async function madeBelow(
  operation: Operation,
  parents: readonly string[],
): Promise<{ id: string; parents: string[] }> {
  const { resource } = operation;
  if (!resource.parent) return { id: (await of.make(resource)).id, parents: [...parents] };
  const record = await of.make(resource);
  return {
    id: record.id,
    parents: [record[resource.parent.field] ?? (await parentOf(resource.parent.resource))],
  };
}
const parentOf = async (name: string) => (await of.make(named(name))).id;

/** A field of free text or number that may change, and a value for its flag. */
function changeable({ resource }: Operation): [string, string] {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.update || field.references || name === 'status' || name === 'endedAt') continue;
    const value = example(field.schema, name);
    if (typeof value === 'string')
      return [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value];
  }
  return ['status', resource.name === 'formSubmissions' ? 'reviewed' : 'sent'];
}
