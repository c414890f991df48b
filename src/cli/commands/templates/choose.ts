/** Selects the templates to delete. A pure function. */
import { posix } from 'node:path';
import type { RecordFor } from '../../../contract/contract.ts';
import { timestamp } from '../../../contract/fields.ts';
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

export interface Selection {
  /** Oldest first. */
  readonly selected: readonly SelectedTemplate[];
  /** Templates whose last use decides, and is unknown: they are kept. */
  readonly undecided: readonly Template[];
}

export interface SelectedTemplate {
  readonly template: Template;
  /** Such as `last used 2026-01-02`. */
  readonly reason: string;
}

/**
 * Of the templates that match `name`, keeps the newest `keep` and selects those neither used nor changed for `unusedFor`. `lastUsedAt` is
 * beyond the specification: without it the last change counts.
 */
export function selectTemplates(
  all: readonly Template[],
  { unusedFor, keep = 0, name }: Criteria,
  now: Date,
): Selection {
  const matching =
    name === undefined ? all : all.filter((one) => matchesName(one.name ?? '', name));
  const byUse = unusedFor !== undefined || keep > 0;
  const isKnown = (one: Template) => !byUse || isTime(one.updatedAt) || isTime(one.lastUsedAt);
  const newest = matching
    .filter(isKnown)
    .sort((a, b) => lastActivity(b) - lastActivity(a) || (a.id < b.id ? 1 : -1));
  const selected = newest
    .slice(keep)
    .filter((template) => !byUse || lastActivity(template) <= now.getTime() - (unusedFor ?? 0))
    .map((template) => ({ template, reason: reasonFor(template) }))
    .reverse();
  return { selected, undecided: matching.filter((template) => !isKnown(template)) };
}

/**
 * Milliseconds since 1970; without a known time, before all others. Only a full ISO 8601 time is known (specification, section 2): any
 * other text reads as different times in different places.
 */
function timeOf(value: unknown): number {
  return timestamp.safeParse(value).success ? Date.parse(String(value)) : Number.NEGATIVE_INFINITY;
}

const isTime = (value: unknown): boolean => timeOf(value) > Number.NEGATIVE_INFINITY;

/**
 * The last use or change, whichever is later: a template that was just written isn't old, although nobody has used it yet.
 */
function lastActivity({ lastUsedAt, updatedAt }: Template): number {
  return Math.max(timeOf(lastUsedAt), timeOf(updatedAt));
}

function reasonFor({ lastUsedAt, updatedAt }: Template): string {
  const day = (iso: string) => localTime(iso).slice(0, 10);
  const changed = isTime(updatedAt) ? `changed ${day(updatedAt)}` : undefined;
  if (!isTime(lastUsedAt)) {
    const used = lastUsedAt === null ? 'never used' : undefined;
    return [used, changed].filter(Boolean).join(', ') || 'last use unknown';
  }
  const isChanged = timeOf(updatedAt) > timeOf(lastUsedAt);
  return `last used ${day(lastUsedAt as string)}${isChanged ? `, ${changed}` : ''}`;
}

/** Supports `*`, `?`, `[…]` and `{a,b}`, ignores case. `*` also matches slashes. */
export const matchesName = (name: string, pattern: string): boolean =>
  posix.matchesGlob(toGlobText(name), toGlobText(pattern));

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
const toGlobText = (text: string): string =>
  `x${text.toLowerCase().replaceAll('/', '\ue000').replaceAll('\\', '\ue001')}`;
