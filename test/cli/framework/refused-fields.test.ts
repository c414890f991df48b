/** A refusal names the flag of a field. Here are the fields of each request body for which its command has none. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/cli/commands/catalogue.ts';
import type { Command } from '../../../src/cli/framework/command.ts';
import {
  createProgram,
  finishSetup,
  loadFamily,
} from '../../../src/cli/framework/tree/live-tree.ts';
import { contract } from '../../../src/contract/contract.ts';
import { walk } from '../../../src/contract/operations.ts';

const bodies = new Map(
  [...walk(contract)].map(({ id, body }) => [id, Object.keys(body?.().shape ?? {})]),
);

function unnamed(command: Command, path: string): string[] {
  finishSetup(command);
  // Verbs such as `cancel` set values of their own.
  const isPlain = (id: string) => id.endsWith('.create') || command.name() === 'update';
  const fields = (command.operations ?? []).filter(isPlain).flatMap((id) => bodies.get(id) ?? []);
  const without = fields.filter((field) => command.flagFor(field) === undefined);
  return [
    ...(without.length > 0 ? [`${path}: ${without.join(', ')}`] : []),
    ...command.commands.flatMap((below) => unnamed(below, `${path} ${below.name()}`)),
  ];
}

test('fields without a flag', async () => {
  const program = createProgram(catalogue);
  const families = await Promise.all(
    program.commands.map((command) => loadFamily(catalogue, program, command.name())),
  );
  const found = families.flatMap((family) => unnamed(family as Command, `cs ${family?.name()}`));
  expect(found).toEqual([
    'cs cars events log: appointmentId',
    'cs cars photos add: base64',
    ...['customers', 'locations'].flatMap((words) => [
      `cs ${words} create: address`,
      `cs ${words} update: address`,
    ]),
    'cs appointments create: recurrenceSeriesId',
    'cs threads messages send: externalId',
    'cs campaigns audiences create: filter',
    'cs campaigns audiences update: filter',
    'cs forms create: fields',
    'cs forms update: fields',
    'cs assets upload: filename, contentType, sourceUrl, base64',
  ]);
});
