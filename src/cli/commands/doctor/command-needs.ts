/** What each command needs beyond the specification: for docs/reference/other-servers.md and `cs doctor`. */
import { withArticle } from '../../../contract/article.ts';
import { contract } from '../../../contract/contract.ts';
import { type Operation, walk } from '../../../contract/operations.ts';
import type { Resource } from '../../../contract/resource.ts';
import type { Need } from '../../framework/command.ts';
import { commandPath } from '../../framework/tree/line.ts';
import type { CommandInfo } from '../../framework/tree/manifest.ts';
import { commandChains, type Tree } from '../../framework/tree/tree.ts';
import type { CommandNeeds } from '../../terminal/run.ts';

/** docs/reference/other-servers.md. */
export async function otherServersPage(tree: Tree): Promise<string> {
  const commands = await serverCommands(tree);
  const whole = commands.filter(({ needs }) => needs.length === 0).map(({ name }) => `\`${name}\``);
  // Commands with the same needs share their rows, and needs with the same consequence a row.
  const groups = Map.groupBy(commands, ({ declared }) => JSON.stringify(declared));
  const rows = [...groups.values()].flatMap((same) => {
    const parts = Map.groupBy(same[0]?.declared ?? [], ({ otherwise }) => otherwise);
    return [...parts].map(([otherwise, needs], index) => {
      const names = index === 0 ? same.map(({ name }) => `\`${name}\``).join(', ') : '';
      return `| ${names} | ${needs.map(({ part }) => partText(part)).join(', ')} | ${otherwise} |`;
    });
  });
  return [
    '# What each command needs of a server',
    '',
    'For [servers that others wrote](../other-servers.md).',
    '',
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
