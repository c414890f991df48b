/** The manual pages: `man cs`, and `man cs-cars` for each first word, made of the description of the commands. */
import { argumentAbout, argumentTerm, helpFlag, usageOf } from '../help/help.ts';
import { pathOf } from '../tree/line.ts';
import type { CommandInfo, FlagInfo } from '../tree/manifest.ts';
import type { Tree } from '../tree/tree.ts';
import { everyBelow } from './walk.ts';

/** Pages, in the language of `man`, by file name. */
export async function manPages(tree: Tree): Promise<Record<string, string>> {
  const root = await tree.root();
  const families = await Promise.all(root.commands.map(({ name }) => tree.family(name)));
  const pages = families.map((family) => [`cs-${family.name}.1`, familyPage([root, family])] as const);
  return { 'cs.1': await firstPage(root, tree), ...Object.fromEntries(pages) };
}

async function firstPage(root: CommandInfo, tree: Tree): Promise<string> {
  const groups = Array.from(Map.groupBy(root.commands, ({ group = 'Commands' }) => group)).flatMap(([group, commands]) => [
    heading(`${group} commands`),
    ...commands.flatMap(({ name, summary }) => item(`.BR ${quoted(`cs-${name}`)} (1)`, summary)),
  ]);
  const topics = (await tree.topics()).flatMap(({ name, summary }) => item(bold(`cs help ${name}`), summary));
  return page('cs', root.about.replace(/\.$/, ''), [
    heading('Synopsis'),
    bold(usageOf([root])),
    heading('Description'),
    ...paragraphs(root.about),
    ...groups,
    heading('Help topics'),
    ...topics,
    heading('Global flags'),
    ...flagItems([...root.flags, helpFlag]),
    ...exampleLines(root),
  ]);
}

function familyPage(chain: readonly CommandInfo[]): string {
  const family = chain.at(-1) as CommandInfo;
  const [first = chain, ...below] = everyBelow(chain);
  return page(`cs-${family.name}`, family.summary, [
    heading('Synopsis'),
    bold(usageOf(first)),
    heading('Description'),
    ...commandLines(first),
    ...(below.length > 0 ? [heading('Commands'), ...below.flatMap((one) => [`.SS ${quoted(usageOf(one))}`, ...commandLines(one)])] : []),
    heading('See also'),
    '.BR cs (1)',
  ]);
}

function commandLines(chain: readonly CommandInfo[]): string[] {
  const command = chain.at(-1) as CommandInfo;
  const aliases = command.aliases.map((alias) => `${pathOf(chain.slice(0, -1))} ${alias}`);
  return [
    ...paragraphs(command.about),
    ...(aliases.length > 0 ? ['.PP', text(`Also: ${aliases.join(', ')}.`)] : []),
    ...command.arguments.flatMap((argument) => item(bold(argumentTerm(argument)), argumentAbout(argument))),
    ...flagItems(command.flags.filter(({ global }) => !global)),
    ...exampleLines(command),
  ];
}

const flagItems = (flags: readonly FlagInfo[]): string[] => flags.flatMap(({ form, about }) => item(bold(form), about));
const item = (term: string, about: string): string[] => ['.TP', term, text(about)];
const paragraphs = (about: string): string[] => about.split('\n').flatMap((line) => ['.PP', text(line)]);
const heading = (title: string): string => `.SH ${quoted(title.toUpperCase())}`;
const bold = (words: string): string => `.B ${quoted(words)}`;

function exampleLines({ examples }: CommandInfo): string[] {
  return examples.length > 0 ? ['.PP', '.EX', ...examples.map((line) => text(line.startsWith('#') ? line : `$ ${line}`)), '.EE'] : [];
}

const page = (name: string, about: string, lines: readonly string[]): string =>
  `${['.\\" Made by npm run generate.', `.TH ${quoted(name.toUpperCase())} 1 "" car\\-storage`, heading('Name'), text(`${name} - ${about}`), ...lines].join('\n')}\n`;

/** A line that says what it says: no escapes of its own, no request at its begin, and signs that every printer has. */
const text = (line: string): string => escaped(line.replace(/\s+/g, ' ').trim()).replace(/^(?=[.'])/, '\\&');
/** One argument of a request. */
const quoted = (words: string): string => `"${escaped(words).replaceAll('"', '\\(dq')}"`;
const escaped = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('`', '\\(ga')
    .replace(/[^\x20-\x7e]/gu, (sign) => `\\[u${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`);
