/** What docs/reference/other-servers.md says of each command. test/cli/other-servers runs the commands on such servers. */
import { expect, test } from 'vitest';
import { liveTree } from '../../../../src/cli/commands/catalogue.ts';
import {
  otherServersPage,
  serverCommands,
} from '../../../../src/cli/commands/doctor/command-needs.ts';
import { commandPath } from '../../../../src/cli/framework/tree/line.ts';
import { commandChains } from '../../../../src/cli/framework/tree/tree.ts';
import { contract } from '../../../../src/contract/contract.ts';
import { walk } from '../../../../src/contract/operations.ts';
import type { Resource } from '../../../../src/contract/resource.ts';
import { storedFieldsOf } from '../../../../src/contract/schemas.ts';

const commands = await serverCommands(liveTree);

test('each command is listed, except those that send no request and those for any path', async () => {
  const root = await liveTree.root();
  const families = await Promise.all(root.commands.map(({ name }) => liveTree.family(name)));
  const all = families
    .flatMap((family) => commandChains([root, family]))
    .filter((chain) => chain.at(-1)?.commands.length === 0)
    .map(commandPath);
  const listed = new Set(commands.map(({ name }) => name));
  const others = all.filter(
    (name) => !listed.has(name) && !/^cs (admin|config|profiles|pending) /.test(name),
  );
  expect(others).toEqual([
    'cs api',
    'cs schema',
    'cs explain',
    'cs sync status',
    'cs sync verify',
    'cs auth logout',
    'cs completion install',
    'cs man',
    'cs version',
    'cs serve',
    'cs demo',
  ]);
});

test('each part that a command needs is beyond the specification', () => {
  const all = [...walk(contract)];
  const operations = new Map(all.map(({ id, source }) => [id, source]));
  const headers = new Map(
    all.flatMap(({ preconditions = {} }) =>
      Object.values(preconditions).map((one) => [one.header, one.source]),
    ),
  );
  const known = (part: string): string | undefined => {
    if (part.includes('`') || part.startsWith('GET /')) return 'decision';
    const [name = '', field = ''] = part.split('.');
    const resource: Resource | undefined = contract[name as keyof typeof contract];
    const source = (resource?.fields[field] ?? (resource && storedFieldsOf(resource)[field]))
      ?.source;
    // Of the configuration of an event type, the specification has one field.
    return (
      operations.get(part) ??
      headers.get(part) ??
      (part === 'eventTypes.config.releasesParkingSpot' ? 'decision' : source)
    );
  };
  const parts = commands.flatMap(({ needs }) => needs.map(({ part }) => part));
  expect(parts.filter((part) => known(part) !== 'decision')).toEqual([]);
});

test('a drop-off by ids, and reading cars and event types, are within the specification', async () => {
  const page = await otherServersPage(liveTree);
  const within = page.slice(
    page.indexOf('## Commands within'),
    page.indexOf('## Commands that need more'),
  );
  for (const name of [
    'cs cars get',
    'cs cars events log',
    'cs appointments create',
    'cs templates delete',
  ])
    expect(within).toContain(`\`${name}\``);
});
