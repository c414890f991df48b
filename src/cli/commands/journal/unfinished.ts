/** The entries that runs before this one left: found by the same command, and told at the start of any other. */
import { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { localTime } from '../../input/when.ts';
import { type CommandName, type Entry, entryPaths, journalFolder, readEntry, removeEntry, type StoredEntry, setAside } from './entry.ts';
import { alreadyRunning, isFresh, type OpenEntry, originOf, resumeCommand } from './journal.ts';
import { type Lock, lockEntry } from './lock.ts';

/** Entries of this server and key, the oldest first. Damaged ones are set aside with a warning. */
export async function entriesHere(context: Context): Promise<StoredEntry[]> {
  const all = await allEntries(context);
  if (all.length === 0) return [];
  const { server, key } = originOf(context);
  return all.filter(({ entry }) => entry.server === server && entry.key === key);
}

export async function allEntries(context: Context): Promise<StoredEntry[]> {
  const folder = journalFolder(context.io);
  const entries: StoredEntry[] = [];
  for (const path of await entryPaths(folder).catch(() => [])) {
    const read = await readEntry(path);
    if (read === undefined) continue;
    if ('damaged' in read) await warnDamaged(context, path, read.damaged.entry);
    else entries.push(read);
  }
  return entries;
}

async function warnDamaged(context: Context, path: string, entry: Entry | undefined): Promise<void> {
  const aside = await setAside(path).catch(() => path);
  const what = entry ? `It belongs to the ${entry.what}, begun ${entry.startedAt}` : 'It belongs to a drop-off, pick-up, move or photos';
  context.warn(`The journal ${path} is damaged and was set aside as ${aside}. ${what}: check whether that is stored before you repeat it.`);
}

/**
 * The unfinished run of the same command, to be finished instead of a new one: asked on a terminal; in a script only if it began within a
 * day. Elsewhere a line about what is unfinished.
 */
export async function findEarlier(context: Context, command: CommandName, words: string): Promise<OpenEntry | undefined> {
  const entries = await entriesHere(context);
  if (entries.length === 0) return undefined;
  const same = entries.filter(({ entry }) => entry.command === command && entry.words === words);
  const alone = !context.interactive || context.settings.yes;
  for (const stored of same) {
    const lock = await lockEntry(stored.path);
    if (!lock) {
      if (!context.interactive) throw alreadyRunning(stored.entry);
      continue;
    }
    const current = await readEntry(stored.path);
    if (!current || 'damaged' in current) {
      lock.release();
      continue;
    }
    if (alone ? requireFresh(context, stored.entry) : await askToFinish(context, current, lock)) {
      noteFinishing(context, stored.entry);
      return { stored: current, lock };
    }
    lock.release();
  }
  const others = entries.filter((stored) => !same.includes(stored));
  if (context.interactive) await noteUnfinished(context, others);
  return undefined;
}

/** In a script, stderr holds the error object and nothing else. */
export function noteFinishing(context: Context, { what, startedAt }: Entry): void {
  if (context.output.forPeople || context.io.stderrIsTerminal) context.note(`Finishing the ${what}, begun ${localTime(startedAt)}.`);
}

function requireFresh(context: Context, entry: Entry): true {
  if (isFresh(entry, context.io.now())) return true;
  throw new CliError({
    code: 'unfinished',
    message: `The ${entry.what} that was begun ${localTime(entry.startedAt)} isn't finished. Nothing was sent.`,
    hint: `finish it with \`${resumeCommand(context, entry)}\`, or forget it with \`${nextCommand(['pending', 'discard', entry.id])}\``,
    details: { id: entry.id },
  });
}

async function askToFinish(context: Context, { path, entry, lines }: StoredEntry, lock: Lock): Promise<boolean> {
  const [{ askOption }, { labelled }, { describeState }] = await Promise.all([
    import('../../prompts/prompts.ts'),
    import('../../output/labelled.ts'),
    import('./describe.ts'),
  ]);
  const facts = labelled(context, [
    ['Unfinished', entry.what],
    ['Begun', localTime(entry.startedAt)],
    ['So far', describeState({ path, entry, lines })],
  ]);
  context.io.stderr.write(`\n${facts}\n`);
  const answer = await askOption<'finish' | 'new' | 'discard'>(context, {
    label: 'What now?',
    options: [
      { name: 'Finish it', value: 'finish' },
      { name: 'Keep it for later and start another', value: 'new' },
      { name: 'Forget it and start another', value: 'discard', about: 'What is stored stays.' },
    ],
  });
  if (answer === 'discard') {
    await removeEntry(path);
    lock.remove();
  }
  return answer === 'finish';
}

/** One line, for a person at the start of a command. */
async function noteUnfinished(context: Context, entries: readonly StoredEntry[]): Promise<void> {
  const idle: Entry[] = [];
  for (const { path, entry } of entries) {
    const lock = await lockEntry(path);
    if (lock) idle.push(entry);
    lock?.release();
  }
  const [first, ...more] = idle;
  if (!first) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  context.note(`Unfinished: ${first.what}${others}. Finish with \`${nextCommand(['pending', 'resume'], connectionFlags(context))}\`.`);
}
