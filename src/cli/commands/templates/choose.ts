/** Which templates go, and why. Pure: what there is and the time are given. */
import { posix } from 'node:path';
import type { RecordFor } from '../../../contract/contract.ts';
import { localTime } from '../../input/when.ts';

type Template = RecordFor<'templates'>;

interface Criteria {
  /** Milliseconds. */
  readonly unusedFor?: number;
  /** How many stay in any case: those that were used or changed last. */
  readonly keep?: number;
  /** Only templates whose name it matches. */
  readonly name?: string;
}

export interface DeletedRecords {
  readonly template: Template;
  /** Such as `last used 2026-01-02`. */
  readonly reason: string;
}

/** Those that go, the longest untouched first. What matches `name` is looked at; of that, the last `keep` stay; of the rest goes what is unused for long enough. */
export function chooseTemplates(all: readonly Template[], { unusedFor = 0, keep = 0, name }: Criteria, now: Date): DeletedRecords[] {
  const matching = name === undefined ? all : all.filter((template) => matchesName(template.name, name));
  const newest = [...matching].sort((a, b) => touchedAt(b) - touchedAt(a) || (a.id < b.id ? 1 : -1));
  return newest
    .slice(keep)
    .filter((template) => touchedAt(template) <= now.getTime() - unusedFor)
    .map((template) => ({ template, reason: reasonFor(template) }))
    .reverse();
}

/**
 * When it was last copied into a content step or changed, whichever is later: what somebody has just written is not old,
 * although nothing was sent with it yet.
 */
function touchedAt({ lastUsedAt, updatedAt }: Template): number {
  return Math.max(lastUsedAt === null || lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt), Date.parse(updatedAt));
}

function reasonFor({ lastUsedAt, updatedAt }: Template): string {
  const day = (iso: string) => localTime(iso).slice(0, 10);
  if (lastUsedAt === null || lastUsedAt === undefined) return `never used, changed ${day(updatedAt)}`;
  const changed = Date.parse(updatedAt) > Date.parse(lastUsedAt) ? `, changed ${day(updatedAt)}` : '';
  return `last used ${day(lastUsedAt)}${changed}`;
}

/** Whether a name matches a pattern with `*`, `?`, `[…]` and `{a,b}`, whatever the case. `*` stands for any characters, a slash among them. */
export const matchesName = (name: string, pattern: string): boolean => posix.matchesGlob(flat(name), flat(pattern));

/** The bracket or brace of a pattern that is opened and never closed. */
export function unclosed(pattern: string): '[' | '{' | undefined {
  let braces = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '[') {
      // One that follows at once is a character of the set.
      const end = pattern.indexOf(']', at + (/^\[[!^]/.test(pattern.slice(at)) ? 3 : 2));
      if (end < 0) return '[';
      at = end;
    } else if (pattern[at] === '{') braces += 1;
    else if (pattern[at] === '}') braces = Math.max(0, braces - 1);
  }
  return braces > 0 ? '{' : undefined;
}

/**
 * Globs are made for paths, and these are names: slashes are put out of sight, and a letter in front keeps a leading dot from being a
 * hidden file. Lower case, since some systems compare so and others do not.
 */
const flat = (text: string): string => `x${text.toLowerCase().replaceAll('/', '\ue000').replaceAll('\\', '\ue001')}`;
