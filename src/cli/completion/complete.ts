/** What can come next on a command line, for the completion of shells. */
import { helpFlag } from '../help/help.ts';
import { flagsOf, type Line, readLine } from '../tree/line.ts';
import type { ArgumentInfo, CommandInfo, FlagInfo } from '../tree/manifest.ts';
import type { Tree } from '../tree/tree.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Files can stand here. */
  readonly files: boolean;
}

/** Knows what people call the records of a resource, most recently changed first, or the `profiles`. Resolves soon, and never fails. */
export type FindNames = (resource: string, line: Line) => Promise<readonly Candidate[]>;

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
  if (taker.choices)
    return only(
      fitting(
        taker.choices.map((value) => ({ value, about: '' })),
        partial,
      ),
    );
  const names = 'long' in taker && taker.long === '--profile' ? 'profiles' : taker.names;
  if (names) {
    // Of several, separated by commas, the last is typed now.
    const list = 'form' in taker && taker.form.includes(',…') ? partial.slice(0, partial.lastIndexOf(',') + 1) : '';
    const wanted = partial.slice(list.length).toLowerCase();
    const found = (await findNames(names, line)).filter(({ value }) => value.toLowerCase().startsWith(wanted));
    return only(found.map(({ value, about }) => ({ value: list + value, about })));
  }
  return { candidates: [], files: takesFiles(taker) };
}

/** By what it says that it takes: `<file>`, `<json|@file|->`, `[folder]`. */
const takesFiles = (taker: FlagInfo | ArgumentInfo): boolean =>
  /\b(files?|folders?|photos?)\b/i.test('form' in taker ? taker.form.replace(/^[^<[]*/, '') : taker.name);
