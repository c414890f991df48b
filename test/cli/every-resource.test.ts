/** Every operation of the contract can be done from the command, as a person and as a script would. */

import { expect, test } from 'vitest';
import { catalogue } from '../../src/cli/commands/catalogue.ts';
import { Command } from '../../src/cli/framework/command.ts';
import { type CommandInfo, describeCommand } from '../../src/cli/framework/tree/manifest.ts';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, walk } from '../../src/contract/operations.ts';
import { type CliOptions, cs } from '../helpers/cli.ts';
import { forMany, offenders } from '../helpers/offenders.ts';
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
/** Commands made by the contract end with the verb itself, and are no singleton's. */
const derived = (verb: string) =>
  operations
    .filter((one) => one.verb === verb && found.get(one.id)?.at(-1) === verb)
    .filter(({ resource }) => !resource.singleton)
    .map((one) => ({ ...one, name: one.id, words: found.get(one.id) as string[] }));

test(
  'list shows a record to a script and to a person',
  async () => {
    const failing = await offenders(derived('list'), async (operation) => {
      const parents = await of.ids(operation);
      const made = operation.resource.computed ? undefined : await madeBelow(operation, parents);
      const needed = Object.fromEntries(new URLSearchParams(queryOf(operation)));
      const flags = Object.entries(needed).flatMap(([name, value]) => [`--${name}`, value]);
      const words = [...operation.words, ...(made?.parents ?? parents), ...flags];
      const script = await run([...words, '--all']);
      expect([script.code, script.stderr]).toEqual([0, '']);
      if (made) expect(script.json.map(({ id }: { id: string }) => id)).toContain(made.id);
      const person = await run(words, { as: 'terminal' });
      expect(person.code).toBe(0);
      for (const line of person.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    });
    expect(failing).toEqual([]);
  },
  forMany,
);

test(
  'get reads one record, and several',
  async () => {
    const failing = await offenders(derived('get'), async (operation) => {
      const ids = await of.ids(operation);
      const one = await run([...operation.words, ...ids]);
      expect([one.code, one.json.id]).toEqual([0, ids.at(-1)]);
      const several = await run([...operation.words, ...ids.slice(0, -1), '--ids', '-'], {
        stdin: `${ids.at(-1)}\n`,
      });
      expect([several.code, several.json]).toEqual([0, [one.json]]);
      const { stdout } = await run([...operation.words, ...ids], { as: 'terminal' });
      expect(stdout).toContain(ids.at(-1));
    });
    expect(failing).toEqual([]);
  },
  forMany,
);

test(
  'create makes a record of a body, and none with --dry-run',
  async () => {
    const failing = await offenders(derived('create'), async (operation) => {
      const parents = await of.ids(operation);
      const stdin = JSON.stringify(await of.body(operation.resource, parents[0]));
      const words = [...operation.words, ...parents, '--input', '-'];
      const path = `/api/v1${fill(operation.path, parents)}`;
      const planned = await run([...words, '--dry-run'], { stdin });
      expect(planned.json).toMatchObject({ dryRun: true, method: 'POST', path });
      const made = await run(words, { stdin });
      expect([made.code, made.stderr]).toEqual([0, '']);
      const stored = await of.read(fill(`${operation.path}/{id}`, [...parents, made.json.id]));
      expect(stored.id).toBe(made.json.id);
    });
    expect(failing).toEqual([]);
  },
  forMany,
);

test(
  'update changes a record by a flag',
  async () => {
    const failing = await offenders(derived('update'), async (operation) => {
      const ids = await of.ids(operation);
      const [field, value] = changeable(operation);
      const words = [...operation.words, ...ids, `--${field}`, value];
      const planned = await run([...words, '--dry-run']);
      const path = `/api/v1${fill(operation.path, ids)}`;
      expect([planned.stderr, planned.json]).toMatchObject(['', { method: 'PATCH', path }]);
      const changed = await run(words);
      expect([changed.code, changed.stderr, changed.json.id]).toEqual([0, '', ids.at(-1)]);
    });
    expect(failing).toEqual([]);
  },
  forMany,
);

test(
  'delete asks for confirmation, and for the count of several',
  async () => {
    const failing = await offenders(derived('delete'), async (operation) => {
      const ids = await of.ids(operation);
      const words = [...operation.words, ...ids.slice(0, -1)];
      const own = ids.at(-1) as string;
      for (const flags of [[own], ['--ids', own, '--yes'], ['--ids', own, '--confirm', '2']])
        expect((await run([...words, ...flags])).code).toBe(2);
      const path = `/api/v1${fill(operation.path, ids)}`;
      expect((await run([...words, own, '--dry-run'])).json).toMatchObject({
        method: 'DELETE',
        path,
      });
      const deleted = await run([...words, '--ids', own, '--confirm', '1']);
      // With a parameter, it only deactivates by default.
      const said = operation.query ? `${own} is deactivated, not deleted.\n` : '';
      expect([deleted.code, deleted.stderr]).toEqual([0, said]);
      expect(deleted.json.map(({ id }: { id: string }) => id)).toEqual([own]);
      const again = await run([...words, own, '--yes']);
      expect(again.code).toBe(operation.query ? 0 : 6);
    });
    expect(failing).toEqual([]);
  },
  forMany,
);

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
