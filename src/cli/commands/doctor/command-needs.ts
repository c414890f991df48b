/** The page docs/other-servers.md: what each command needs beyond the specification, from the commands and the contract. */
import { withArticle } from '../../../contract/article.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { Need } from '../../framework/command.ts';
import { commandPath } from '../../framework/tree/line.ts';
import type { CommandInfo } from '../../framework/tree/manifest.ts';
import { commandChains, type Tree } from '../../framework/tree/tree.ts';
import { filterFields } from '../../resources/list.ts';
import type { CommandNeeds } from '../../terminal/run.ts';

const intro = `# Servers that others wrote

\`cs\` works with every server that keeps to the specification. This service also has what the specification leaves open; a server of another
team may lack it, or have it in another form. This page is made from the commands (\`npm run generate\`); \`cs doctor\` compares the interface of
the server at hand.

What holds for every command:

- **Records are checked.** Each record of a list must meet the filters that were sent. Where a server ignores or refuses a filter, or applies it in
  its own way, \`cs\` says so once, reads the whole list without it and filters it. Where nothing is found,
  each filter is tried once with the value of a record, since some servers find nothing for a filter that they don't know. If the records don't carry
  the field, or carry it in a form that doesn't tell, every command ends with \`filter_ignored\` (exit 9) and sends nothing: leave out the filter, or name the records by their ids.
  \`cs\` searches for words (\`--q\`) itself where the server finds records even for a word that no record has. \`cs api\` checks no filter.
- **Writes are checked.** Each field that was sent is compared with the record in the answer: times as moments, to the second; numbers, ids and words of
  an enumeration by their meaning; texts letter by letter. Another value, or a cleared field that still has one, is \`unexpected_answer\` (exit 9). So is a
  status that the server maps to a word of its own, since an ignored change looks the same. For a new record, the error names its id. A new record
  without an id may be stored (exit 9); of a car event its session is enough, since the specification promises no more. A success that has a
  non-empty \`error\`, or \`success: false\`, is none.
  A value in another form is a warning: a phone number with its prefix, an e-mail address in other capitals, a plate, VIN or file name with other
  separators, a text without the spaces around it, a list in another order, a position that the server corrects, or the name and type that it gives
  an uploaded file. What the answer doesn't show is read again, as is the record after an answer without content. A warning names the fields that the
  record doesn't show either; the place of a car event is looked up at the car, too. Null counts as another value after a change and in an appointment, and as not shown in other new records.
  An absent field that was cleared is cleared. A create that is answered with a record that was there before (200) says which values the server kept,
  unless the result says so itself: a duplicate photo, a move to the place where the car is.
- **Photos are compared with what was sent** where the record of an upload shows a hash or a size. Another one is a warning and \`differs\` in the result, since a server may
  convert photos; such a file is neither moved (\`--move-to\`) nor verified. A record whose \`status\` is \`failed\`, \`rejected\` or \`error\` isn't stored.
- **A change that empties what it didn't name** is told by a warning, where the record was looked up by its name before: such a server takes a change for the whole record.
- **Nothing is guessed.** A status, an occupancy or a last use that the server doesn't send is unknown, never "free" or "unused". A parking assignment
  whose end is planned is open until then.
- **Lists are read to their end** without \`total\`, with a \`total\` of the page alone, with pages smaller than 200 or than the \`limit\` that they tell,
  and as \`{ data }\` alone. Records anywhere but in \`data\` are \`unexpected_answer\` (exit 9): the specification (section 8) has them there. A total alone proves no end: \`cs\` asks for the page after the last one, unless that is shorter than those before (our service promises with
  \`total-of: all-pages\` that it counts all pages). A list fails (\`unsteady_list\`, exit 9) where a list in another order than that of its changes never gives as many records as \`total\`, where the server ignores \`page\` and
  cuts the list, and where it says that more records follow (\`has_more\`, \`next_cursor\`) but gives none.
  Records that changed at the same time need one order on every page: where a server mixes them anew for each page, some can be missing, and nothing tells.
- **Ids** can be UUIDs in capitals or small letters, numbers of any size or other texts. Each digit counts: integers above 2^53 are text in the output. A server whose ids are
  numbers gets numbers in bodies. Where a name looks like an id, \`id:9\` is the id 9, and ids count before names in \`--ids\`. A delete can answer 204, or 200 without content;
  after 202 it counts as done only where the record is gone, or the location inactive. Where the first answer to it is lost and the repeat finds no
  record (404), it counts as done, with a warning, unless the record is still shown. A change that is answered with 202 counts as done only where its record
  shows it, and a create not at all: it ends with exit 9, since it may be stored later.
- **What a search leaves out shows nowhere**, so \`cs\` doesn't rely on one for a name or for the key of \`cs import --upsert-by\`: another server may tell capitals apart, or look for all words in
  one field. Unless the server promises with \`total-of: all-pages\` that its lists hold everything that meets the parameters, \`cs\` reads the list whole, once in a run, and compares the names itself.
  For the appointments of a day it asks for a day more on both sides, since a server may take times for dates. The filters and \`--q\` of a \`list\` show what the server finds.
- **Names** find a record by the whole name, in any case. Separators may be left out (\`hhf12\`) but not moved: \`BO-T 7\` isn't B-OT 7, and between digits each counts. A terminal offers such a record, a script ends with exit 6.
- **Times** can have any offset, and need one: without it, or in a form other than ISO 8601, a time is unknown. An object in the place of a name is read as its JSON,
  which is equal to no name.
- **Booleans and numbers** can be text, and booleans 0 and 1. Commands print them as booleans and numbers. Empty text in the place of an id or a
  time is null, and the words that the specification lists can be in capitals.
- **Messages of the specification decide**: \`API key expired\`, \`API key revoked\`, \`API is disabled for this team\`, \`Missing scope: …\`, whatever the code.
- **States and kinds** that the specification doesn't list are checked by the server, as are the values of event types.
- **POST** is repeated after a lost answer only where the server's interface description has \`Idempotency-Key\`.
- **A drop-off, pick-up, move or upload that was cut off** is finished by the same command. Where the server recognises idempotency keys, a request is sent again with its key and its preconditions, and the
  answer decides: a record that looks the same may be another counter's. Elsewhere \`cs\` looks up what the server stored, and asks where it can't tell; photos are always looked up, by their hash. An import does the same for each row, and names those that the server can't tell of.
  Without idempotency keys, the last request before a crash may reach the server after \`cs\` has looked. A command that goes on within the time-out of that request
  (\`--timeout\`) waits for its end and looks again, then sends; \`--resend\` doesn't wait. What such a server stores later still is stored twice: nothing can prevent that.
  A request that ran into its time-out, that was stopped, or that was answered with 202, 502 or 504 isn't sent again for ten minutes.
  A record is that of the lost request where it has the time that was sent, or that time in whole seconds, cut off or rounded. Another time within that second
  tells nothing, and neither does a record without its time or its type, or one with notes or an appointment that weren't sent.

An operation that the server lacks is exit 9, \`operation_missing\`, and the message names it; 405 and 501 always say so. A 404 in JSON to a request that names a record
may also mean the record: exit 6, and the hint says both.
`;

/** The text of the page. */
export async function otherServersPage(tree: Tree): Promise<string> {
  const commands = await serverCommands(tree);
  const whole = commands.filter(({ needs }) => needs.length === 0).map(({ name }) => `\`${name}\``);
  const rows = commands.flatMap(({ name, needs }) =>
    needs.map((need, index) => rowOf(index === 0 ? `\`${name}\`` : '', need)),
  );
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
  /** `cars.create` */
  readonly operations: readonly string[];
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
    .map(({ name, info }) => ({
      name,
      operations: info.operations,
      needs: [...info.operations.flatMap(needsOf), ...(info.needs ?? [])],
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

/** What an operation itself needs: the whole of it, or the filters of its list. */
function needsOf(id: string): Need[] {
  const operation = operations.get(id) as Operation;
  const filters = operation.verb === 'list' ? openFilters(operation.resource) : [];
  // A 404 in JSON to a request that names no record can only mean the operation.
  const otherwise =
    operation.method === 'GET' && operation.params.length === 0 ? 'exit 9' : 'exit 6 or 9';
  return [
    ...(operation.source === 'decision' ? [{ part: id, otherwise }] : []),
    ...(filters.length > 0
      ? [{ part: filters.map((flag) => `\`${flag}\``).join(' '), otherwise: 'filtered by `cs`' }]
      : []),
  ];
}

/** The flags of the filters that the specification doesn't have, without searches. */
function openFilters(resource: Resource): string[] {
  const isOpen = (name: string) =>
    resource.filters?.[name]?.source === 'decision' && resource.filters[name].by !== 'search';
  return filterFields(resource).flatMap(({ name, flag }) => (isOpen(name) ? [flag] : []));
}

function rowOf(command: string, { part, otherwise }: Need): string {
  return `| ${command} | ${partText(part)} | ${otherwise} |`;
}

function partText(part: string): string {
  const operation = operations.get(part);
  if (operation) return `\`${operation.method} ${operation.path}\``;
  const [, name = '', field = ''] = /^(\w+)\.([\w.]+)$/.exec(part) ?? [];
  const resource: Resource | undefined = Object.hasOwn(contract, name)
    ? contract[name as keyof typeof contract]
    : undefined;
  if (resource) return `\`${field}\` of ${withArticle(resource.singular)}`;
  return part.startsWith('`') ? part : `\`${part}\``;
}
