/** Selects the templates to delete. A pure function. */
import { posix } from 'node:path';
import type { RecordFor } from '../../../contract/contract.ts';
import { localTime } from '../../input/when.ts';

type Template = RecordFor<'templates'>;

interface Criteria {
  /** Milliseconds. */
  readonly unusedFor?: number;
  /** Number of most recently used or changed templates to keep. */
  readonly keep?: number;
  /** Glob for the name. */
  readonly name?: string;
}

export interface SelectedTemplate {
  readonly template: Template;
  /** Such as `last used 2026-01-02`. */
  readonly reason: string;
}

/** Oldest first. Of the templates that match `name`, keeps the newest `keep` and selects those unused for `unusedFor`. */
export function selectTemplates(all: readonly Template[], { unusedFor = 0, keep = 0, name }: Criteria, now: Date): SelectedTemplate[] {
  const matching = name === undefined ? all : all.filter((template) => matchesName(template.name, name));
  const newest = [...matching].sort((a, b) => lastActivity(b) - lastActivity(a) || (a.id < b.id ? 1 : -1));
  return newest
    .slice(keep)
    .filter((template) => lastActivity(template) <= now.getTime() - unusedFor)
    .map((template) => ({ template, reason: reasonFor(template) }))
    .reverse();
}

/**
 * The last use or change, whichever is later: a template that was just written isn't old, although nobody has used it yet.
 */
function lastActivity({ lastUsedAt, updatedAt }: Template): number {
  return Math.max(lastUsedAt === null || lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt), Date.parse(updatedAt));
}

function reasonFor({ lastUsedAt, updatedAt }: Template): string {
  const day = (iso: string) => localTime(iso).slice(0, 10);
  if (lastUsedAt === null || lastUsedAt === undefined) return `never used, changed ${day(updatedAt)}`;
  const changed = Date.parse(updatedAt) > Date.parse(lastUsedAt) ? `, changed ${day(updatedAt)}` : '';
  return `last used ${day(lastUsedAt)}${changed}`;
}

/** Supports `*`, `?`, `[…]` and `{a,b}`, ignores case. `*` also matches slashes. */
export const matchesName = (name: string, pattern: string): boolean => posix.matchesGlob(toGlobText(name), toGlobText(pattern));

/** The unclosed bracket or brace of a pattern. */
export function unclosed(pattern: string): '[' | '{' | undefined {
  let braces = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '[') {
      // Directly after the bracket, it is a character of the set.
      const end = pattern.indexOf(']', at + (/^\[[!^]/.test(pattern.slice(at)) ? 3 : 2));
      if (end < 0) return '[';
      at = end;
    } else if (pattern[at] === '{') braces += 1;
    else if (pattern[at] === '}') braces = Math.max(0, braces - 1);
  }
  return braces > 0 ? '{' : undefined;
}

/**
 * Globs are for paths, these are names: replaces slashes, and adds a letter so that a leading dot isn't a hidden file. Lower case,
 * since matching depends on the platform otherwise.
 */
const toGlobText = (text: string): string => `x${text.toLowerCase().replaceAll('/', '\ue000').replaceAll('\\', '\ue001')}`;
