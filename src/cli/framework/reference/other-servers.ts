/** The page docs/other-servers.md: what each command needs beyond the specification, from the commands and the contract. */
import { withArticle } from '../../../contract/article.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import { filterFields } from '../../crud/list.ts';
import type { Need } from '../command.ts';
import type { CommandNeeds } from '../run.ts';
import { commandPath } from '../tree/line.ts';
import type { CommandInfo } from '../tree/manifest.ts';
import { commandChains, type Tree } from '../tree/tree.ts';

const intro = `# Servers that others wrote

\`cs\` works with every server that keeps to the specification. This service also has what the specification leaves open; a server of another
team may lack it, or have it in another form. This page is made from the commands (\`npm run generate\`); \`cs doctor\` compares the interface of
the server at hand.

What holds for every command:

- **Records are checked.** Each record of a list must meet the filters that were sent. Where a server ignores or refuses a filter, or applies it in
  its own way, \`cs\` says so once, reads the whole list without it and filters it. If the records don't carry the field, or carry it in a form that
  doesn't tell, every command ends with \`filter_ignored\` (exit 9) and sends nothing: leave out the filter, or name the records by their ids.
  \`cs\` searches for words (\`--q\`) itself where the server finds records even for a word that no record has. \`cs api\` checks nothing.
- **Writes are checked.** Where a server answers a write with another state, reference or yes/no value than was sent, the command ends with
  \`unexpected_answer\` (exit 9). An update names the fields that the answer doesn't show.
- **Nothing is guessed.** A status, an occupancy or a last use that the server doesn't send is unknown, never "free" or "unused".
- **Lists are read to their end** without \`total\`, with a \`total\` of the page alone, with pages smaller than 200 or than the \`limit\` that they tell,
  and as \`{ data }\` alone. A list whose pages never give as many records as \`total\` fails (\`unsteady_list\`, exit 9).
- **Ids** can be UUIDs, numbers or other texts. Where a name looks like an id, \`id:9\` is the id 9, and ids count before names in \`--ids\`. A delete can answer 204.
- **Times** can have any offset, and need one: without it, or in a form other than ISO 8601, a time is unknown.
- **Booleans and numbers** can be text, and booleans 0 and 1. Commands print them as booleans and numbers.
- **Messages of the specification decide**: \`API key expired\`, \`API key revoked\`, \`API is disabled for this team\`, \`Missing scope: …\`, whatever the code.
- **States and kinds** that the specification doesn't list are checked by the server, as are the values of event types.
- **POST** is repeated after a lost answer only where the server's interface description has \`Idempotency-Key\`.
- **A drop-off, pick-up, move or upload that was cut off** is finished by the same command: \`cs\` looks up what the server stored, and asks where it can't tell.

An operation that the server lacks is exit 9, \`operation_missing\`, and the message names it. A 404 in JSON to a request that names a record
may also mean the record: exit 6, and the hint says both.
`;

/** The text of the page. */
export async function otherServersPage(tree: Tree): Promise<string> {
  const commands = await serverCommands(tree);
  const whole = commands.filter(({ needs }) => needs.length === 0).map(({ name }) => `\`${name}\``);
  const rows = commands.flatMap(({ name, needs }) => needs.map((need, index) => rowOf(index === 0 ? `\`${name}\`` : '', need)));
  return [
    intro,
    '## Commands within the specification',
    '',
    `${whole.slice(0, -1).join(', ')} and ${whole.at(-1)} need nothing else.`,
    '',
    '## Commands that need more',
    '',
    '| command | needs beyond the specification | without it |',
    '|-|-|-|',
    ...rows,
    '',
  ].join('\n');
}

export interface ServerCommand {
  /** `cs cars list`. */
  readonly name: string;
  readonly needs: readonly Need[];
}

/** The commands that send requests, each with its needs. */
export async function serverCommands(tree: Tree): Promise<ServerCommand[]> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  return families
    .flatMap((family) => commandChains([root, family]))
    .map((chain) => ({ name: commandPath(chain), info: chain.at(-1) as CommandInfo }))
    .filter(({ info }) => info.operations.length > 0 || info.needs !== undefined)
    .map(({ name, info }) => ({ name, needs: [...info.operations.flatMap(needsOf), ...(info.needs ?? [])] }));
}

/** The same with the parts in words. */
export const commandNeeds = async (tree: Tree): Promise<CommandNeeds[]> =>
  (await serverCommands(tree)).map(({ name, needs }) => ({
    name,
    needs: needs.map(({ part, otherwise }) => ({ text: partText(part), otherwise })),
  }));

const operations = new Map<string, Operation>(Array.from(walk(contract), (operation) => [operation.id, operation]));

/** What an operation itself needs: the whole of it, or the filters of its list. */
function needsOf(id: string): Need[] {
  const operation = operations.get(id) as Operation;
  const filters = operation.verb === 'list' ? openFilters(operation.resource) : [];
  // A 404 in JSON to a request that names no record can only mean the operation.
  const otherwise = operation.method === 'GET' && operation.params.length === 0 ? 'exit 9' : 'exit 6 or 9';
  return [
    ...(operation.source === 'decision' ? [{ part: id, otherwise }] : []),
    ...(filters.length > 0 ? [{ part: filters.map((flag) => `\`${flag}\``).join(' '), otherwise: 'filtered by `cs`' }] : []),
  ];
}

/** The flags of the filters that the specification doesn't have, without searches. */
function openFilters(resource: Resource): string[] {
  const isOpen = (name: string) => resource.filters?.[name]?.source === 'decision' && resource.filters[name].by !== 'search';
  return filterFields(resource).flatMap(({ name, flag }) => (isOpen(name) ? [flag] : []));
}

function rowOf(command: string, { part, otherwise }: Need): string {
  return `| ${command} | ${partText(part)} | ${otherwise} |`;
}

function partText(part: string): string {
  const operation = operations.get(part);
  if (operation) return `\`${operation.method} ${operation.path}\``;
  const [, name = '', field = ''] = /^(\w+)\.([\w.]+)$/.exec(part) ?? [];
  const resource: Resource | undefined = Object.hasOwn(contract, name) ? contract[name as keyof typeof contract] : undefined;
  if (resource) return `\`${field}\` of ${withArticle(resource.singular)}`;
  return part.startsWith('`') ? part : `\`${part}\``;
}
