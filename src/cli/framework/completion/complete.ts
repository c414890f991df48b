/** Computes what can follow on a command line, for shell completion. */

import type { Candidate } from '../../state/names.ts';
import { helpFlag } from '../help/help.ts';
import { flagsInScope, type Line, readLine } from '../tree/line.ts';
import type { ArgumentInfo, CommandInfo, FlagInfo } from '../tree/manifest.ts';
import { isPath, placeholderOf } from '../tree/placeholder.ts';
import type { Tree } from '../tree/tree.ts';

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the shell should complete files too. */
  readonly files: boolean;
}

/**
 * Finds names of records, most recently changed first, or of `profiles`. `within` holds the names
 * of the parent records. Resolves soon and never fails.
 */
export type FindNames = (
  resource: string,
  line: Line,
  within: readonly string[],
) => Promise<readonly Candidate[]>;

/** The commands, flags or values that match the last word. */
export async function complete(
  tree: Tree,
  words: readonly string[],
  findNames: FindNames,
): Promise<Completion> {
  const before = words.slice(0, -1);
  const partial = words.at(-1) ?? '';
  const asksHelp = before[0] === 'help';
  const line = await readLine(tree, asksHelp ? before.slice(1) : before);
  if (line.unknown !== undefined) return noCandidates;
  const command = line.chain.at(-1) as CommandInfo;
  const { pendingFlag } = line;

  if (pendingFlag && (pendingFlag.value === 'required' || !partial.startsWith('-'))) {
    const values = await completeValue(pendingFlag, partial, line, findNames);
    if (pendingFlag.value === 'required' || values.candidates.length > 0) return values;
  }
  if (partial.startsWith('-') && !line.flagsEnded) {
    const [name = '', value] = partial.split(/=(.*)/s);
    const flag =
      value === undefined ? undefined : flagsInScope(line.chain).find(({ long }) => long === name);
    if (!flag)
      return only(matching([...flagsInScope(line.chain), helpFlag].map(flagCandidate), partial));
    const { candidates } = await completeValue(flag, value ?? '', line, findNames);
    return only(
      candidates.map((candidate) => ({ ...candidate, value: `${name}=${candidate.value}` })),
    );
  }
  const commands = line.args.length === 0 ? command.commands.map(commandCandidate) : [];
  const topics = asksHelp && before.length === 1 ? (await tree.topics()).map(commandCandidate) : [];
  const first =
    line.chain.length === 1 && line.args.length === 0 && !asksHelp
      ? [{ value: 'help', about: 'show help for a command or a topic' }]
      : [];
  const next = asksHelp ? undefined : argumentAt(command, line.args.length);
  const values = next ? await completeValue(next, partial, line, findNames) : noCandidates;
  return {
    candidates: [...matching([...commands, ...topics, ...first], partial), ...values.candidates],
    files: values.files,
  };
}

const noCandidates: Completion = { candidates: [], files: false };
const only = (candidates: readonly Candidate[]): Completion => ({ candidates, files: false });
const flagCandidate = ({ long, about }: FlagInfo): Candidate => ({ value: long, about });
const commandCandidate = ({ name, summary }: { name: string; summary: string }): Candidate => ({
  value: name,
  about: summary,
});
const matching = (candidates: readonly Candidate[], partial: string) =>
  candidates.filter(({ value }) => value.startsWith(partial));

function argumentAt({ arguments: taken }: CommandInfo, at: number): ArgumentInfo | undefined {
  const last = taken.at(-1);
  return taken[at] ?? (last?.variadic ? last : undefined);
}

async function completeValue(
  parameter: FlagInfo | ArgumentInfo,
  partial: string,
  line: Line,
  findNames: FindNames,
): Promise<Completion> {
  // In a list separated by commas, only the last value is completed.
  const list = takesSeveral(parameter) ? partial.slice(0, partial.lastIndexOf(',') + 1) : '';
  const rest = partial.slice(list.length);
  const listed = (found: readonly Candidate[]) =>
    only(found.map(({ value, about }) => ({ value: list + value, about })));
  const values = knownValues(parameter, line);
  if (values === 'files') return { candidates: [], files: true };
  if (values) {
    const remaining = values
      .flatMap((value) => fillTemplate(value, rest))
      .filter((value) => !list.split(',').includes(value));
    return listed(
      matching(
        remaining.map((value) => ({ value, about: '' })),
        rest,
      ),
    );
  }
  const names =
    'long' in parameter && parameter.long === '--profile' ? 'profiles' : parameter.names;
  if (!names) return { candidates: [], files: takesFiles(parameter) };
  const found = await findNames(
    names,
    line,
    parameter.within ? parentArguments(parameter, line) : [],
  );
  return listed(found.flatMap((one) => matchNames(one, rest.toLowerCase())));
}

function matchNames(found: Candidate, partial: string): Candidate[] {
  const fits = (name: string) => name.toLowerCase().startsWith(partial);
  if (fits(found.value)) return [found];
  return (found.also ?? []).filter(fits).map((value) => ({ value, about: found.about }));
}

const takesSeveral = (parameter: FlagInfo | ArgumentInfo): boolean =>
  'form' in parameter &&
  (parameter.form.includes(',…') || parameter.long === '--json' || parameter.long === '--columns');

/** The values that don't depend on records. */
function knownValues(
  parameter: FlagInfo | ArgumentInfo,
  { chain, args }: Line,
): readonly string[] | 'files' | undefined {
  const { fields, columns = [] } = chain.at(-1) as CommandInfo;
  if ('long' in parameter && parameter.long === '--json') return fields ?? [];
  if ('long' in parameter && parameter.long === '--columns')
    return [...new Set([...columns, ...(fields ?? [])])];
  const before = 'long' in parameter ? undefined : args.at(-1);
  if (parameter.offersAfter && before !== undefined) return parameter.offersAfter[before] ?? [];
  return parameter.choices ?? parameter.offers;
}

/** The arguments before this one. */
const parentArguments = (
  parameter: FlagInfo | ArgumentInfo,
  { chain, args }: Line,
): readonly string[] =>
  args.slice(0, (chain.at(-1) as CommandInfo).arguments.indexOf(parameter as ArgumentInfo));

/**
 * Fills a path such as `/cars/{id}/events` with the typed segments. Empty while a segment in braces
 * isn't typed yet.
 */
function fillTemplate(template: string, typed: string): string[] {
  const parts = typed.split('/').slice(0, -1);
  const made = template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? parts[index] : part));
  return made.includes(undefined) ? [] : [made.join('/')];
}

const takesFiles = (parameter: FlagInfo | ArgumentInfo): boolean =>
  isPath('form' in parameter ? placeholderOf(parameter.form) : parameter.name);
