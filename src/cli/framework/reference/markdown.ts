/**
 * The pages of `docs/reference`, from the description of the commands: one for each first word and
 * each topic.
 */

import { describeArgument, formatArgument, usageLine } from '../help/help.ts';
import { topics } from '../help/topics.ts';
import { commandPath } from '../tree/line.ts';
import type { CommandInfo, FlagInfo } from '../tree/manifest.ts';
import { commandChains, type TopicInfo, type Tree } from '../tree/tree.ts';

/** Pages by file name. */
export async function markdownPages(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  const pages = families.map(
    (family) => [`${family.name}.md`, familyPage([root, family])] as const,
  );
  const topics = (await tree.topics()).map(
    (topic) => [`help-${topic.name}.md`, topicPage(topic)] as const,
  );
  return { 'README.md': await firstPage(root, tree), ...Object.fromEntries([...pages, ...topics]) };
}

async function firstPage(root: CommandInfo, tree: Tree): Promise<string> {
  const groups = Map.groupBy(root.commands, ({ group = 'Commands' }) => group);
  const lists = Array.from(groups, ([group, commands]) => [
    `## ${group}`,
    commands
      .map(({ name, summary }) => `- [\`cs ${name}\`](${name}.md): ${plain(summary)}`)
      .join('\n'),
  ]);
  const topicItems = (await tree.topics()).map(
    ({ name, summary }) => `- [\`cs help ${name}\`](help-${name}.md): ${plain(summary)}`,
  );
  return page([
    '# Reference of the command',
    `${plain(root.about)} See also \`cs <command> --help\` and \`man cs-<command>\`.`,
    ...lists.flat(),
    '## Help topics',
    topicItems.join('\n'),
    '## Global flags',
    'Accepted by every command, before or after its words.',
    flagItems(root.flags).join('\n'),
  ]);
}

function familyPage(chain: readonly CommandInfo[]): string {
  const commands = commandChains(chain);
  return page(commands.flatMap((below, index) => commandSection(below, index === 0 ? '#' : '##')));
}

function commandSection(chain: readonly CommandInfo[], level: string): string[] {
  const command = chain.at(-1) as CommandInfo;
  const own = command.flags.filter(({ global }) => !global);
  const aliases = command.aliases.map((alias) => `\`${commandPath(chain.slice(0, -1))} ${alias}\``);
  return [
    `${level} ${commandPath(chain)}`,
    `${plain(command.about)}${aliases.length > 0 ? ` Also ${aliases.join(', ')}.` : ''}`,
    fenced(usageLine(chain)),
    ...titled(
      'Commands',
      command.commands.map(({ name, summary, about }) => item(name, summary || about)),
    ),
    ...titled(
      'Arguments',
      command.arguments.map((argument) =>
        item(formatArgument(argument), describeArgument(argument)),
      ),
    ),
    ...titled('Flags', flagItems(own)),
    ...(command.examples.length > 0 ? ['**Examples**', fenced(command.examples.join('\n'))] : []),
  ];
}

/** The text of `cs help TOPIC`, its rows as a list. */
function topicPage({ name, summary }: TopicInfo): string {
  const parts = (topics[name]?.parts() ?? []).map((part) => {
    if (part.kind === 'title')
      return `## ${plain(part.text.charAt(0) + part.text.slice(1).toLowerCase())}`;
    if (part.kind === 'lines') return fenced(part.lines.join('\n'));
    if (part.kind === 'rows') return part.rows.map(([term, words]) => item(term, words)).join('\n');
    return plain(part.text);
  });
  return page([`# ${plain(summary)}`, `See also \`cs help ${name}\`.`, ...parts]);
}

const titled = (title: string, items: readonly string[]): string[] =>
  items.length > 0 ? [`**${title}**`, items.join('\n')] : [];
const item = (term: string, about: string): string => `- \`${term}\`: ${plain(about)}`;
const flagItems = (flags: readonly FlagInfo[]): string[] =>
  flags.map(({ form, about }) => item(form, about));
const fenced = (text: string): string => `\`\`\`sh\n${text}\n\`\`\``;
const page = (parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n')}\n`;
/** One line, with the characters of Markdown escaped. */
const plain = (text: string): string =>
  text.replace(/\s*\n\s*/g, ' ').replace(/[<>*_[\]|]/g, '\\$&');
