/** The reference in `docs/reference`: a page for each first word, made of the description of the commands. */
import { argumentAbout, argumentTerm, usageOf } from '../help/help.ts';
import { pathOf } from '../tree/line.ts';
import type { CommandInfo, FlagInfo } from '../tree/manifest.ts';
import type { Tree } from '../tree/tree.ts';
import { everyBelow } from './walk.ts';

/** Pages by file name. */
export async function markdownPages(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  const pages = families.map((family) => [`${family.name}.md`, familyPage([root, family])] as const);
  return { 'README.md': await firstPage(root, tree), ...Object.fromEntries(pages) };
}

async function firstPage(root: CommandInfo, tree: Tree): Promise<string> {
  const groups = Map.groupBy(root.commands, ({ group = 'Commands' }) => group);
  const lists = Array.from(groups, ([group, commands]) => [
    `## ${group}`,
    commands.map(({ name, summary }) => `- [\`cs ${name}\`](${name}.md): ${plain(summary)}`).join('\n'),
  ]);
  const topics = (await tree.topics()).map(({ name, summary }) => `- \`cs help ${name}\`: ${plain(summary)}`);
  return page([
    '# Reference of the command',
    `${plain(root.about)} The same is told by \`cs <command> --help\` and \`man cs-<command>\`.`,
    ...lists.flat(),
    '## Help topics',
    topics.join('\n'),
    '## Global flags',
    'On every command, before or after its words.',
    flagList(root.flags),
  ]);
}

function familyPage(chain: readonly CommandInfo[]): string {
  const commands = everyBelow(chain);
  return page(commands.flatMap((below, index) => commandSection(below, index === 0 ? '#' : '##')));
}

function commandSection(chain: readonly CommandInfo[], level: string): string[] {
  const command = chain.at(-1) as CommandInfo;
  const own = command.flags.filter(({ global }) => !global);
  const aliases = command.aliases.map((alias) => `\`${pathOf(chain.slice(0, -1))} ${alias}\``);
  return [
    `${level} ${pathOf(chain)}`,
    `${plain(command.about)}${aliases.length > 0 ? ` Also ${aliases.join(', ')}.` : ''}`,
    fenced(usageOf(chain)),
    command.commands.map(({ name, summary, about }) => `- \`${name}\`: ${plain(summary || about)}`).join('\n'),
    command.arguments.map((argument) => `- \`${argumentTerm(argument)}\`: ${plain(argumentAbout(argument))}`).join('\n'),
    flagList(own),
    command.examples.length > 0 ? fenced(command.examples.join('\n')) : '',
  ];
}

const flagList = (flags: readonly FlagInfo[]): string => flags.map(({ form, about }) => `- \`${form}\`: ${plain(about)}`).join('\n');
const fenced = (text: string): string => `\`\`\`sh\n${text}\n\`\`\``;
const page = (parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n')}\n`;
/** On one line, with nothing in it that Markdown takes for more than text. */
const plain = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replace(/[<>*_[\]|]/g, '\\$&');
