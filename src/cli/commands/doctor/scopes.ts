/** The scopes of the key, and the commands that don't work without the missing ones. */
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import { missingScope, type Scope, scopes } from '../../../contract/scopes.ts';
import type { Identity } from '../connection/identity.ts';
import { note, ok } from './finding.ts';
import type { Finding } from './shape.ts';

/** The scopes that the counter's commands always need. */
const counterScopes: Readonly<Record<string, readonly Scope[]>> = {
  dropoff: ['read:cars', 'write:cars', 'read:parking', 'write:parking'],
  pickup: ['read:cars', 'write:cars'],
  move: ['read:cars', 'write:cars', 'read:parking', 'write:parking'],
  today: ['read:appointments', 'read:cars'],
  board: ['read:parking'],
};

/** The command words of a resource: `['cars', 'events']`. */
export function commandWords({ path }: Pick<Resource, 'path'>): string[] {
  const named: Readonly<Record<string, string>> = {
    'event-sessions': 'sessions',
    'rsvp-options': 'options',
  };
  return path
    .split('/')
    .filter(
      (part) =>
        part !== '' && !part.startsWith('{') && part !== 'marketing' && part !== 'communications',
    )
    .map((part) => named[part] ?? part);
}

/** Commands that don't work with these scopes, by the missing scope. */
export function blockedCommands(held: readonly string[]): Map<Scope, string[]> {
  const keys = new Set(held);
  const blocked = new Map<Scope, Set<string>>();
  const add = (scope: Scope | undefined, command: string) => {
    if (scope) blocked.set(scope, (blocked.get(scope) ?? new Set()).add(command));
  };
  for (const [flow, needed] of Object.entries(counterScopes))
    for (const scope of needed) if (!keys.has(scope)) add(scope, flow);
  for (const { resource, scope } of walk(contract))
    if (!resource.singleton) add(missingScope(scope, keys), commandWords(resource).join(' '));
  return new Map(
    scopes.flatMap((scope) =>
      blocked.has(scope) ? [[scope, [...(blocked.get(scope) as Set<string>)]]] : [],
    ),
  );
}

export function checkScopes({
  scopes: held,
  unknownScopes,
  missing: missingLists,
  from,
}: Identity): Finding {
  const name = 'scopes';
  const known = scopes.filter((scope) => !unknownScopes.includes(scope));
  const missing = known.filter((scope) => !held.includes(scope));
  const blocked = blockedCommands([...held, ...unknownScopes]);
  const lines = missing.flatMap((scope) => {
    const commands = blocked.get(scope);
    return commands ? [`without ${scope}: ${describeBlocked(scope, commands)}`] : [];
  });
  const suffix = from === 'tried' ? "; the server doesn't report the others" : '';
  const untold = unknownScopes.filter(
    (scope) => !missingLists.some((list) => list.scope === scope),
  );
  const unknown = untold.length > 0 ? unknownText(untold) : undefined;
  const found = `${held.length} of ${known.length}${from === 'tried' ? ' that could be tried' : ''}${suffix}`;
  if (missing.length === 0)
    return from === 'tried' ? note(name, found, { unknown }) : ok(name, 'all');
  return note(name, found, {
    lines,
    unknown,
    hint: 'ask the operator for a key with more scopes (`cs admin key create`)',
  });
}

/** `whether the key may read contacts, or write anything`. */
function unknownText(unknown: readonly Scope[]): string {
  const [reads, writes] = ['read:', 'write:'].map((right) =>
    unknown.filter((scope) => scope.startsWith(right)),
  );
  const subjects = (some: readonly Scope[] = []) =>
    some.map((scope) => scope.slice(scope.indexOf(':') + 1)).join(', ');
  const all = scopes
    .filter((scope) => scope.startsWith('write:'))
    .every((scope) => unknown.includes(scope));
  const parts = [
    reads?.length ? `read ${subjects(reads)}` : '',
    writes?.length ? `write ${all ? 'anything' : subjects(writes)}` : '',
  ].filter(Boolean);
  return `whether the key may ${parts.join(', or ')}`;
}

/** ``can't write with `cs cars`, `cs cars events`; can't run `cs dropoff` ``. */
function describeBlocked(scope: Scope, commands: readonly string[]): string {
  const named = (some: readonly string[]) => some.map((command) => `\`cs ${command}\``).join(', ');
  const [whole, part] = [
    commands.filter((command) => command in counterScopes),
    commands.filter((command) => !(command in counterScopes)),
  ];
  const doing = scope.startsWith('write:') ? 'write' : 'read';
  return [
    part.length > 0 ? `can't ${doing} with ${named(part)}` : '',
    whole.length > 0 ? `can't run ${named(whole)}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}
