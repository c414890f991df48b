/** The page docs/other-servers.md: the contract with other servers, and what each command needs beyond the specification. */
import { withArticle } from '../../../contract/article.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { Need } from '../../framework/command.ts';
import { commandPath } from '../../framework/tree/line.ts';
import type { CommandInfo } from '../../framework/tree/manifest.ts';
import { commandChains, type Tree } from '../../framework/tree/tree.ts';
import type { CommandNeeds } from '../../terminal/run.ts';

const intro = `# Servers that others wrote

A server that keeps to the specification works with \`cs\`. Where the specification is silent, \`cs\` expects what \`cs schema\` marks with D. Where a
server differs, an error names the difference (exit 9), nothing is written to a record that wasn't named, and a part never passes for the whole.

1. **Lists.** \`cs\` sends \`page\`, \`limit\`, \`ids\` and \`updatedAfter\`, and \`scope\` for event types. Other filters and \`--q\` go only to a server that
   promises complete lists (header \`total-of: all-pages\`, like this service). Elsewhere \`cs\` reads the whole list, once in a run, and compares the
   fields itself. A note says so where that takes more than 10 pages.
2. **Unknown is an error, never "nothing found".** A field that no record of a list shows can't be a filter, a search, a pattern or a name. Where some
   records show it, an absent field counts as null. A search looks into the fields that are shown; where it finds nothing and others aren't shown,
   that is the error.
3. **Section 8 of the specification is believed.** A list ends where \`page * limit >= total\`. Pages with another count, size or order are the error
   \`unsteady_list\`. Event types may also come as \`{ data }\` alone.
4. **Shapes are strict.** Ids are strings, times are ISO 8601 with an offset, booleans are booleans. A value in another form is printed as it came and
   compared with nothing. An id that is a whole number becomes text.
5. **Names** are whole names, in any case, with or without separators. A terminal also takes a part of a plate that fits one car alone. Several matches
   are exit 14. A script that must not fail uses ids.
6. **Writes.** The answer must be the record that was named. An \`id\`, a \`status\`, ids of other records and times that it shows must be those that were
   sent, else exit 9. One warning names other fields that it doesn't show, or shows otherwise. 202 isn't done: exit 9, outcome unknown. Nothing is read
   a second time to find out.
7. **Deletes** are answered with \`{ id, deleted: true }\` or 204. A repeat after a lost answer that gets 404 is done.
8. **A missing operation** is exit 9 with its name: 404, 405, 410 or 501 for a path beyond the specification. Where a request only adds a name or a
   check, the command goes on, and a note says what is missing.
9. **Photos.** \`--photo-field\` names the field with the bytes (default: \`base64\`). The error of a refused photo says so.
10. **Parking.** \`parkingSpotId\` and \`parkingZoneId\` of the cars tell who is where. Without them a place is unknown, never free, and is offered as
    unknown. A spot without a location is where its zone is.
11. **Event types** have the server's values. A pick-up needs \`--type\` unless one type says \`releasesParkingSpot\`.
12. **POST** is repeated after a lost answer only where the server announces \`Idempotency-Key\`.

\`cs auth login\` asks the server what it announces: complete lists, idempotency keys, preconditions, its operations, the team. So does \`cs doctor\`, which
names the commands that lack an operation. The answer is kept in the profile, or in \`state.db\` for a key from the environment, and \`cs auth status\` shows it.
Without it, or with an old one, commands are slower or louder, never wrong.
`;

/** The text of the page. */
export async function otherServersPage(tree: Tree): Promise<string> {
  const commands = await serverCommands(tree);
  const whole = commands.filter(({ needs }) => needs.length === 0).map(({ name }) => `\`${name}\``);
  const rows = commands.flatMap(({ name, declared }) =>
    declared.map(
      ({ part, otherwise }, index) =>
        `| ${index === 0 ? `\`${name}\`` : ''} | ${partText(part)} | ${otherwise} |`,
    ),
  );
  return [
    intro,
    '## Commands within the specification',
    '',
    `${whole.slice(0, -1).join(', ')} and ${whole.at(-1)} need nothing else.`,
    '',
    '## Commands that need more',
    '',
    'The commands below need more than their own operation, or work with less. Every other one needs its own operation, which',
    '`cs schema` shows, and ends with exit 9 where the server lacks it.',
    '',
    '| command | needs beyond the specification | without it |',
    '|-|-|-|',
    ...rows,
    '',
  ].join('\n');
}

export interface ServerCommand {
  /** `cars.create` */
  readonly operations: readonly string[];
  /** `cs cars list`. */
  readonly name: string;
  readonly needs: readonly Need[];
  /** Those beside its own operations. */
  readonly declared: readonly Need[];
}

/** The commands that send requests, each with its needs. */
export async function serverCommands(tree: Tree): Promise<ServerCommand[]> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  return families
    .flatMap((family) => commandChains([root, family]))
    .map((chain) => ({ name: commandPath(chain), info: chain.at(-1) as CommandInfo }))
    .filter(({ info }) => info.operations.length > 0 || info.needs !== undefined)
    .map(({ name, info }) => ({
      name,
      operations: info.operations,
      needs: [...info.operations.filter(isOpen).map(needed), ...(info.needs ?? [])],
      declared: info.needs ?? [],
    }));
}

/** The same with the parts in words. */
export const commandNeeds = async (tree: Tree): Promise<CommandNeeds[]> =>
  (await serverCommands(tree)).map(({ name, needs }) => ({
    name,
    needs: needs.map(({ part, otherwise }) => ({ text: partText(part), otherwise })),
  }));

const operations = new Map<string, Operation>(
  Array.from(walk(contract), (operation) => [operation.id, operation]),
);

const isOpen = (id: string): boolean => operations.get(id)?.source === 'decision';
const needed = (part: string): Need => ({ part, otherwise: 'exit 9' });

function partText(part: string): string {
  const operation = operations.get(part);
  if (operation) return `\`${operation.method} ${operation.path}\``;
  const [, name = '', field = ''] = /^(\w+)\.([\w.]+)$/.exec(part) ?? [];
  const resource: Resource | undefined = Object.hasOwn(contract, name)
    ? contract[name as keyof typeof contract]
    : undefined;
  if (resource) return `\`${field}\` of ${withArticle(resource.singular)}`;
  return part.includes('`') ? part : `\`${part}\``;
}
