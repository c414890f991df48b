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
  /** Templates whose last use decides, and is unknown. */
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
  const selected = matching
    .toSorted((a, b) => lastActivity(b) - lastActivity(a) || (a.id < b.id ? 1 : -1))
    .slice(keep)
    .filter((template) => !byUse || lastActivity(template) <= now.getTime() - (unusedFor ?? 0))
    .map((template) => ({ template, reason: reasonFor(template) }))
    .reverse();
  const isKnown = (one: Template) => lastActivity(one) > Number.NEGATIVE_INFINITY;
  return { selected, undecided: byUse ? matching.filter((one) => !isKnown(one)) : [] };
}

/**
 * Milliseconds since 1970; without a known time, before all others. Only a full ISO 8601 time is known (specification, section 2): any
 * other text reads as different times in different places.
 */
const timeOf = (value: unknown): number =>
  timestamp.safeParse(value).success ? Date.parse(String(value)) : Number.NEGATIVE_INFINITY;

/** The last use or change, whichever is later: a template that was just written isn't old, although nobody has used it yet. */
const lastActivity = ({ lastUsedAt, updatedAt }: Template): number =>
  Math.max(timeOf(lastUsedAt), timeOf(updatedAt));

function reasonFor({ lastUsedAt, updatedAt }: Template): string {
  const day = (what: string, value: unknown) =>
    timeOf(value) > Number.NEGATIVE_INFINITY
      ? `${what} ${localTime(value as string).slice(0, 10)}`
      : undefined;
  const used = lastUsedAt === null ? 'never used' : day('last used', lastUsedAt);
  const isChanged = timeOf(updatedAt) > timeOf(lastUsedAt);
  const changed = isChanged ? day('changed', updatedAt) : undefined;
  return [used, changed].filter(Boolean).join(', ') || 'last use unknown';
}

/** Supports `*`, `?`, `[…]` and `{a,b}`, ignores case. `*` also matches slashes. */
export const matchesName = (name: string, pattern: string): boolean =>
  posix.matchesGlob(toGlobText(name), toGlobText(pattern));

/**
 * Globs are for paths, these are names: replaces slashes, and adds a letter so that a leading dot isn't a hidden file. Lower case,
 * since matching depends on the platform otherwise.
 */
const toGlobText = (text: string): string =>
  `x${text.toLowerCase().replaceAll('/', '\ue000').replaceAll('\\', '\ue001')}`;
