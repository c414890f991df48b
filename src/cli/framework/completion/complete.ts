/** What can come next on a command line, for the completion of shells. */

import { helpFlag } from '../help/help.ts';
import { flagsOf, type Line, readLine } from '../tree/line.ts';
import type { ArgumentInfo, CommandInfo, FlagInfo } from '../tree/manifest.ts';
import type { Tree } from '../tree/tree.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
  /** Its other names, offered in place of the first one where they are what was begun. */
  readonly also?: readonly string[];
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Files can stand here. */
  readonly files: boolean;
}

/**
 * Knows what people call the records of a resource, most recently changed first, or the `profiles`; of records that lie below others, those
 * `within` what these are called. Resolves soon, and never fails.
 */
export type FindNames = (resource: string, line: Line, within: readonly string[]) => Promise<readonly Candidate[]>;

/** The commands, flags or values that can stand where the last word is, as far as it is typed. */
export async function complete(tree: Tree, words: readonly string[], findNames: FindNames): Promise<Completion> {
  const typed = words.slice(0, -1);
  const partial = words.at(-1) ?? '';
  const asksHelp = typed[0] === 'help';
  const line = await readLine(tree, asksHelp ? typed.slice(1) : typed);
  if (line.unknown !== undefined) return nothing;
  const command = line.chain.at(-1) as CommandInfo;
  const { waiting } = line;

  if (waiting && (waiting.value === 'required' || !partial.startsWith('-'))) {
    const values = await valuesOf(waiting, partial, line, findNames);
    if (waiting.value === 'required' || values.candidates.length > 0) return values;
  }
  if (partial.startsWith('-') && !line.ended) {
    const [name = '', value] = partial.split(/=(.*)/s);
    const flag = value === undefined ? undefined : flagsOf(line.chain).find(({ long }) => long === name);
    if (!flag) return only(fitting([...flagsOf(line.chain), helpFlag].map(asCandidate), partial));
    const { candidates } = await valuesOf(flag, value ?? '', line, findNames);
    return only(candidates.map((candidate) => ({ ...candidate, value: `${name}=${candidate.value}` })));
  }
  const commands = line.args.length === 0 ? command.commands.map(asCommand) : [];
  const topics = asksHelp && typed.length === 1 ? (await tree.topics()).map(asCommand) : [];
  const first =
    line.chain.length === 1 && line.args.length === 0 && !asksHelp ? [{ value: 'help', about: 'explain a command or a topic' }] : [];
  const next = asksHelp ? undefined : argumentAt(command, line.args.length);
  const values = next ? await valuesOf(next, partial, line, findNames) : nothing;
  return { candidates: [...fitting([...commands, ...topics, ...first], partial), ...values.candidates], files: values.files };
}

const nothing: Completion = { candidates: [], files: false };
const only = (candidates: readonly Candidate[]): Completion => ({ candidates, files: false });
const asCandidate = ({ long, about }: FlagInfo): Candidate => ({ value: long, about });
const asCommand = ({ name, summary }: { name: string; summary: string }): Candidate => ({ value: name, about: summary });
const fitting = (candidates: readonly Candidate[], partial: string) => candidates.filter(({ value }) => value.startsWith(partial));

function argumentAt({ arguments: taken }: CommandInfo, at: number): ArgumentInfo | undefined {
  const last = taken.at(-1);
  return taken[at] ?? (last?.variadic ? last : undefined);
}

async function valuesOf(taker: FlagInfo | ArgumentInfo, partial: string, line: Line, findNames: FindNames): Promise<Completion> {
  if (taker.filesAfter?.includes(line.args.at(-1) ?? '')) return { candidates: [], files: true };
  // Of several, separated by commas, the last is typed now.
  const list = takesSeveral(taker) ? partial.slice(0, partial.lastIndexOf(',') + 1) : '';
  const rest = partial.slice(list.length);
  const listed = (found: readonly Candidate[]) => only(found.map(({ value, about }) => ({ value: list + value, about })));
  const values = offersOf(taker, line);
  if (values) {
    const free = values.flatMap((value) => filled(value, rest)).filter((value) => !list.split(',').includes(value));
    return listed(
      fitting(
        free.map((value) => ({ value, about: '' })),
        rest,
      ),
    );
  }
  const names = 'long' in taker && taker.long === '--profile' ? 'profiles' : taker.names;
  if (!names) return { candidates: [], files: takesFiles(taker) };
  const found = await findNames(names, line, taker.within ? parentsIn(taker, line) : []);
  return listed(found.flatMap((one) => begun(one, rest.toLowerCase())));
}

function begun(found: Candidate, partial: string): Candidate[] {
  const fits = (name: string) => name.toLowerCase().startsWith(partial);
  if (fits(found.value)) return [found];
  return (found.also ?? []).filter(fits).map((value) => ({ value, about: found.about }));
}

const takesSeveral = (taker: FlagInfo | ArgumentInfo): boolean =>
  'form' in taker && (taker.form.includes(',…') || taker.long === '--json' || taker.long === '--columns');

/** The values that are known beforehand. */
function offersOf(taker: FlagInfo | ArgumentInfo, { chain, args }: Line): readonly string[] | undefined {
  const { fields, columns = [] } = chain.at(-1) as CommandInfo;
  if ('long' in taker && taker.long === '--json') return fields ?? [];
  if ('long' in taker && taker.long === '--columns') return [...new Set([...columns, ...(fields ?? [])])];
  const before = 'long' in taker ? undefined : args.at(-1);
  if (taker.offersAfter && before !== undefined) return taker.offersAfter[before] ?? [];
  return taker.choices ?? taker.offers;
}

/** What the arguments before one are. */
const parentsIn = (taker: FlagInfo | ArgumentInfo, { chain, args }: Line): readonly string[] =>
  args.slice(0, (chain.at(-1) as CommandInfo).arguments.indexOf(taker as ArgumentInfo));

/** A path such as `/cars/{id}/events` with what is typed in place of what stands in braces; nothing before that has been typed. */
function filled(template: string, typed: string): string[] {
  const parts = typed.split('/').slice(0, -1);
  const made = template.split('/').map((part, index) => (part.startsWith('{') ? parts[index] : part));
  return made.includes(undefined) ? [] : [made.join('/')];
}

/** By what it says that it takes: `<file>`, `<path>`, `<json|@file|->`, `[folder]`. */
const takesFiles = (taker: FlagInfo | ArgumentInfo): boolean =>
  /\b(files?|paths?|folders?|photos?)\b/i.test('form' in taker ? taker.form.replace(/^[^<[]*/, '') : taker.name);
