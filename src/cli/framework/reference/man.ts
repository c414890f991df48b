/**
 * The man pages, from the description of the commands: `man cs`, `man cs-cars` and so on for each
 * first word, `man cs-keys` and so on for each topic.
 */

import { describeArgument, formatArgument, helpFlag, usageLine } from '../help/help.ts';
import { topics } from '../help/topics.ts';
import { commandPath } from '../tree/line.ts';
import type { CommandInfo, FlagInfo } from '../tree/manifest.ts';
import { commandChains, type TopicInfo, type Tree } from '../tree/tree.ts';

/** Pages in troff, by file name. */
export async function manPages(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  const pages = families.map(
    (family) => [`cs-${family.name}.1`, familyPage([root, family])] as const,
  );
  const topics = (await tree.topics()).map(
    (topic) => [`cs-${topic.name}.7`, topicPage(topic)] as const,
  );
  return { 'cs.1': await firstPage(root, tree), ...Object.fromEntries([...pages, ...topics]) };
}

async function firstPage(root: CommandInfo, tree: Tree): Promise<string> {
  const groups = Array.from(Map.groupBy(root.commands, ({ group = 'Commands' }) => group)).flatMap(
    ([group, commands]) => [
      heading(`${group} commands`),
      ...commands.flatMap(({ name, summary }) => item(`.BR ${quoted(`cs-${name}`)} (1)`, summary)),
    ],
  );
  const topicItems = (await tree.topics()).flatMap(({ name, summary }) =>
    item(`.BR ${quoted(`cs-${name}`)} (7)`, summary),
  );
  return page('cs', 1, root.about.replace(/\.$/, ''), [
    heading('Synopsis'),
    bold(usageLine([root])),
    heading('Description'),
    ...paragraphs(root.about),
    ...groups,
    heading('Help topics'),
    ...topicItems,
    heading('Global flags'),
    ...flagItems([...root.flags, helpFlag]),
    ...exampleLines(root),
  ]);
}

function familyPage(chain: readonly CommandInfo[]): string {
  const family = chain.at(-1) as CommandInfo;
  const [first = chain, ...below] = commandChains(chain);
  return page(`cs-${family.name}`, 1, family.summary, [
    heading('Synopsis'),
    bold(usageLine(first)),
    heading('Description'),
    ...commandLines(first),
    ...(below.length > 0
      ? [
          heading('Commands'),
          ...below.flatMap((one) => [`.SS ${quoted(usageLine(one))}`, ...commandLines(one)]),
        ]
      : []),
    heading('See also'),
    '.BR cs (1)',
  ]);
}

function commandLines(chain: readonly CommandInfo[]): string[] {
  const command = chain.at(-1) as CommandInfo;
  const aliases = command.aliases.map((alias) => `${commandPath(chain.slice(0, -1))} ${alias}`);
  return [
    ...paragraphs(command.about),
    ...(aliases.length > 0 ? ['.PP', text(`Also: ${aliases.join(', ')}.`)] : []),
    ...titled(
      'Arguments',
      command.arguments.flatMap((argument) =>
        item(bold(formatArgument(argument)), describeArgument(argument)),
      ),
    ),
    ...titled('Flags', flagItems(command.flags.filter(({ global }) => !global))),
    ...exampleLines(command),
  ];
}

/** The text of `cs help TOPIC`. */
function topicPage({ name, summary }: TopicInfo): string {
  const lines = (topics[name]?.parts() ?? []).flatMap((part, index) => {
    if (part.kind === 'title') return heading(part.text);
    // A man page starts with a heading.
    const lead = index === 0 ? [heading('Description')] : [];
    if (part.kind === 'lines')
      return [...lead, '.PP', '.EX', ...part.lines.map((line) => text(`$ ${line}`)), '.EE'];
    if (part.kind === 'rows')
      return [...lead, ...part.rows.flatMap(([term, words]) => item(bold(term), words))];
    return [...lead, '.PP', text(part.text)];
  });
  return page(`cs-${name}`, 7, summary, [...lines, heading('See also'), '.BR cs (1)']);
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['.PP', `.I ${title}`, ...lines] : [];
const flagItems = (flags: readonly FlagInfo[]): string[] =>
  flags.flatMap(({ form, about }) => item(bold(form), about));
const item = (term: string, about: string): string[] => ['.TP', term, text(about)];
const paragraphs = (about: string): string[] =>
  about.split('\n').flatMap((line) => ['.PP', text(line)]);
const heading = (title: string): string => `.SH ${quoted(title.toUpperCase())}`;
const bold = (words: string): string => `.B ${quoted(words)}`;

function exampleLines({ examples }: CommandInfo): string[] {
  return examples.length > 0
    ? [
        '.PP',
        '.I Examples',
        '.PP',
        '.EX',
        ...examples.map((line) => text(line.startsWith('#') ? line : `$ ${line}`)),
        '.EE',
      ]
    : [];
}

const page = (name: string, part: 1 | 7, about: string, lines: readonly string[]): string =>
  `${['.\\" Made by npm run build.', `.TH ${quoted(name.toUpperCase())} ${part} "" car\\-storage`, heading('Name'), text(`${name} - ${about}`), ...lines].join('\n')}\n`;

/** Escapes a line: its backslashes, a leading control character, and characters outside ASCII. */
const text = (line: string): string =>
  escaped(line.replace(/\s+/g, ' ').trim()).replace(/^(?=[.'])/, '\\&');
/** An argument of a troff request. */
const quoted = (words: string): string => `"${escaped(words).replaceAll('"', '\\(dq')}"`;
const escaped = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('`', '\\(ga')
    .replace(
      /[^\x20-\x7e]/gu,
      (char) =>
        `\\[u${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
