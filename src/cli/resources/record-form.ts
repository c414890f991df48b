/**
 * The questions of a `create` on a terminal: its values one after another, then a summary before
 * anything is stored.
 */

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { IdMap } from '../../client/ids.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { choicesOf, kindOf } from '../../contract/schemas.ts';
import { byName } from '../../facility/natural.ts';
import type { Context } from '../context.ts';
import type { CliError } from '../errors/exit.ts';
import { isServerAway, isUncertain } from '../errors/final.ts';
import { isRefused, refusalText, refusedFields } from '../errors/refusal.ts';
import { reasonOf, wrapFailure } from '../errors/report.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import { holdsSearch } from '../input/matching.ts';
import { localTimeWithDay } from '../input/when.ts';
import { labelled } from '../output/labelled.ts';
import { cellText, type Row } from '../output/view.ts';
import { askFound, type Found, listedIn } from '../prompts/ask-found.ts';
import { type Asked, askForm, type Form, type Question } from '../prompts/form.ts';
import type { Option } from '../prompts/options.ts';
import { askOption, nameHint, recordsShown } from '../prompts/prompts.ts';
import { askWhatNow } from '../prompts/what-now.ts';
import { sanitize, stateWords, words } from '../terminal/text.ts';
import { fill, widest } from '../terminal/width.ts';
import { askField } from './ask-field.ts';
import { createLine } from './create-line.ts';
import { findLabels } from './find-labels.ts';
import { type LabelRule, labelRuleOf } from './labels.ts';
import { gather, methodsOf } from './methods.ts';

/** What the questions of a `create` need of the command. */
export interface Creating {
  readonly isDryRun: boolean;
  /** Nothing is reviewed, and the caller stores the record (default: in a dry run). */
  readonly isApproved?: boolean;
  /** The words of the command: `parking`, `spots`, `create`. */
  readonly words: readonly string[];
  /** Checks the approved record and stores it. */
  readonly store: (body: Record<string, unknown>, idempotencyKey: string) => Promise<void>;
}

/**
 * Asks for what a record needs that the flags leave open, and stores it once it is approved.
 * Returns the whole body.
 */
export type AskCreate = (
  context: Context,
  body: Readonly<Record<string, unknown>>,
  creating: Creating,
) => Promise<Record<string, unknown>>;

/** Label and value, and the fields that it shows. */
export type SummaryRow = readonly [
  label: string,
  value: string | null | undefined,
  fields: readonly string[],
];

interface RecordForm<A extends object> {
  readonly resource: ResourceName;
  readonly questions: readonly Question<A>[];
  readonly given: Partial<A>;
  /** What the flags give of the record. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What the answers give, as far as they are given. */
  readonly bodyOf: (answers: Partial<A>) => Record<string, unknown>;
  /** The rows of the summary for what is asked. What the flags give besides stands below them. */
  readonly rows: (answers: A) => readonly SummaryRow[] | Promise<readonly SummaryRow[]>;
  readonly creating: Creating;
  /** Refuses the whole record, before anything of it is stored. */
  readonly check?: (body: Record<string, unknown>, answers: A) => Promise<void>;
  /**
   * Stores what the record names, before it is stored. `keepStored` replaces an answer by what is
   * stored of it.
   */
  readonly storeBefore?: (
    answers: A,
    storing: { readonly keepStored: (stored: Partial<A>) => void; readonly idempotencyKey: string },
  ) => Promise<void>;
  /** The questions about fields with another name (default: by the name of the field). */
  readonly questionOf?: Readonly<Record<string, keyof A>>;
  /** The command that goes on from these answers (default: `create` with a flag for each value). */
  readonly lineOf?: (answers: Partial<A>, body: Readonly<Record<string, unknown>>) => string;
}

export async function askRecordForm<A extends object>(
  context: Context,
  form: RecordForm<A>,
): Promise<Record<string, unknown>> {
  const { resource, questions, given, body, rows, creating, check, storeBefore } = form;
  const { isDryRun, isApproved = isDryRun, store } = creating;
  const asked = new Set<PropertyKey>(questions.map(({ name }) => name));
  // A value of a flag may have been corrected.
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !asked.has(name)));
  const bodyOf = (answers: Partial<A>) => ({ ...others, ...form.bodyOf(answers) });
  const lineOf = (answers: Partial<A>) =>
    form.lineOf?.(answers, bodyOf(answers)) ??
    createLine(context, { words: creating.words, resource, body: bodyOf(answers) });
  // `location` asks for locationId.
  const questionOf = (field: string) =>
    form.questionOf?.[field] ??
    [...asked].find((name) => field === name || field === `${String(name)}Id`);
  const review = {
    summary: async (answers: A) => {
      const own = await rows(answers);
      return `\n${labelled(context, [...own, ...(await otherRows(context, { resource, body: bodyOf(answers), shown: own }))])}\n`;
    },
    question: `Store this ${contract[resource].singular}?`,
  };
  let correcting: Form<A>['correcting'];
  for (;;) {
    const answers = await askForm<A>(context, {
      questions,
      given,
      correcting,
      review: isApproved ? undefined : review,
      recover: tryAgain(context, lineOf),
    });
    let isPartStored = correcting?.isPartStored ?? false;
    const storeParts = async (idempotencyKey: string) => {
      await check?.(bodyOf(answers), answers);
      if (isDryRun) return;
      const keepStored = (stored: Partial<A>) => {
        Object.assign(answers, stored);
        isPartStored = true;
      };
      await storeBefore?.(answers, { keepStored, idempotencyKey: `${idempotencyKey}-before` });
      if (!isApproved) await store(bodyOf(answers), idempotencyKey);
    };
    if (isApproved) {
      await storeParts(randomUUID());
      return bodyOf(answers);
    }
    const refused = await storeUnlessRefused(context, () => lineOf(answers), storeParts);
    if (!refused) return bodyOf(answers);
    context.warn(refusalText(refused));
    const wrong = refusedFields(refused)
      .map(questionOf)
      .find((name) => name !== undefined) as keyof A | undefined;
    // Without a question about it the person chooses what to change.
    correcting = { answers, wrong: wrong === undefined ? [] : [wrong], isPartStored };
  }
}

interface OtherRows {
  readonly resource: ResourceName;
  readonly body: Readonly<Record<string, unknown>>;
  /** The rows that stand above. */
  readonly shown: readonly SummaryRow[];
}

/** The rows for values that no question asked for. */
async function otherRows(
  context: Context,
  { resource, body, shown }: OtherRows,
): Promise<SummaryRow[]> {
  const { fields } = contract[resource] as Resource;
  const others = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !shown.some(([, , names]) => names.includes(name)),
  );
  const wanted = new Map<string, Set<string>>();
  for (const [name, value] of others) {
    const named = fields[name]?.references;
    if (named && typeof value === 'string')
      wanted.set(named, (wanted.get(named) ?? new Set()).add(value));
  }
  const labels = await findLabels(context, wanted, { bestEffort: true });
  return others.map(([name, value]) => {
    const { schema, references } = fields[name] ?? {};
    const label = labels.get(references ?? '')?.get(String(value));
    const isTime = schema && kindOf(schema) === 'timestamp' && typeof value === 'string';
    return [
      references ? words(name).replace(/ ID$/, '') : words(name),
      label ?? (isTime ? localTimeWithDay(value) : cellText(value)),
      [name],
    ];
  });
}

/**
 * For the questions of a form: when the server goes away, the answers are kept for another try, or
 * become the command that goes on.
 */
function tryAgain<A>(
  context: Context,
  lineOf: (answers: A) => string,
): (error: unknown, failed: { readonly answers: A }) => Promise<void> {
  return async (error, { answers }) => {
    if (!isServerAway(error)) throw error;
    await againOrLeave(context, error, () => lineOf(answers));
  };
}

/** Returns for another try; leaving is an error with the command that goes on. */
async function againOrLeave(context: Context, error: unknown, line: () => string): Promise<void> {
  const leave = {
    name: 'Leave, with the command that goes on from here',
    short: 'Leave',
    value: 'leave',
  } as const;
  if ((await askWhatNow(context, `${reasonOf(error)} Your answers are kept.`, [leave])) === 'again')
    return;
  // Its hint says to check first.
  if (isUncertain(error)) throw error;
  throw wrapFailure(error, {
    message: `${reasonOf(error)} Nothing was stored.`,
    hint: `go on later with \`${line()}\``,
  });
}

/**
 * Stores what was approved. Returns the refusal, for an answer to correct; what got no answer is
 * sent again with the same key, where that stores it once.
 */
async function storeUnlessRefused(
  context: Context,
  line: () => string,
  store: (idempotencyKey: string) => Promise<void>,
): Promise<ApiError | CliError | undefined> {
  const idempotencyKey = randomUUID();
  for (;;) {
    try {
      await store(idempotencyKey);
      return undefined;
    } catch (error) {
      if (isRefused(error)) return error;
      if (
        !isServerAway(error) ||
        (isUncertain(error) && !(await recognisesRepeats(context, error)))
      )
        throw error;
      await againOrLeave(context, error, line);
    }
  }
}

async function recognisesRepeats(context: Context, error: unknown): Promise<boolean> {
  const { transport } = await context.client();
  const path = error instanceof NetworkError || error instanceof ApiError ? error.path : undefined;
  return path !== undefined && transport.knowsIdempotencyKeys().catch(() => false);
}

interface FieldRule {
  readonly schema: z.ZodType;
  readonly create: string;
  readonly initial?: unknown;
}

interface LineQuestion<A extends object>
  extends Partial<Pick<Question<A>, 'part' | 'applies' | 'fits' | 'dependsOn'>> {
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly name: string;
  readonly label: string;
  /** The answer that nobody needs to be asked for. */
  readonly preset?: (answers: Partial<A>) => { readonly answer: unknown };
  /** What an earlier answer says of it. */
  readonly initial?: (answers: Partial<A>) => string | undefined;
  /** Why it is required with these answers, although the record doesn't need it. */
  readonly neededFor?: (answers: Partial<A>) => string | undefined;
  /** What is wrong with a value that the schema takes. */
  readonly refuse?: (context: Context) => Parameters<typeof askField>[1]['refuse'];
  /** How a text is stored. */
  readonly change?: (text: string) => string;
}

/** The question for one field: a line, or a list of the values that it takes. */
export function fieldQuestion<A extends object>(question: LineQuestion<A>): Question<A> {
  const { fields, name, label, preset, initial, neededFor, refuse, change, ...more } = question;
  const { schema, create, initial: byDefault } = fields[name] as FieldRule;
  const choices = choicesOf(schema);
  const ask = async (
    context: Context,
    { answers, earlier, isCorrection }: Asked<Record<string, unknown>, string>,
  ): Promise<unknown> => {
    if (!choices) {
      const reason = neededFor?.(answers as Partial<A>);
      const value = await askField(context, {
        schema,
        label,
        required: create === 'required' || reason !== undefined,
        hint: reason,
        earlier: isCorrection ? earlier : (initial?.(answers as Partial<A>) ?? earlier),
        refuse: refuse?.(context),
      });
      return change && typeof value === 'string' ? change(value) : value;
    }
    const options: Option<string | undefined>[] = choices.map((value) => ({
      name: stateWords(value),
      value,
    }));
    const takesNone = schema.safeParse(null).success;
    const none: Option<string | undefined>[] = takesNone
      ? [{ name: 'None', short: 'none', value: undefined }]
      : [];
    return askOption(context, {
      label,
      options: [...none, ...options],
      first: (earlier ?? byDefault) as string | undefined,
    });
  };
  return { name, part: label, preset, ask, ...more } as unknown as Question<A>;
}

/** The choice of a record that isn't stored yet. */
export interface NewRecord {
  readonly kind: 'new';
  /** What was typed and found nothing: what is known of it. */
  readonly searched: string;
}

export const isNew = (record: unknown): record is NewRecord =>
  typeof record === 'object' && record !== null && 'searched' in record;

interface RecordQuestion<R extends Row> {
  readonly resource: ResourceName;
  readonly label: string;
  /** (default: `a name, or a part of it`) */
  readonly hint?: string;
  /** What is searched for (default: what people call the resource). */
  readonly one?: string;
  /** Narrows the list, such as to one location. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** What is searched for at first. */
  readonly initial?: string | undefined;
  /** The answer to correct. */
  readonly earlier?: R | NewRecord | undefined;
  /** Before anything is typed (default: the start of the list). */
  readonly first?: Found<R>;
  /** Records beside those that the server's search finds. */
  readonly also?: (typed: string, signal: AbortSignal) => Promise<readonly R[]>;
  /** The texts that a short text is looked up in (default: names and detail). */
  readonly textsOf?: (row: R) => readonly unknown[];
  /** (default: the detail of its resource, and its name) */
  readonly describe?: (row: R) => Described;
  /** The last column. */
  readonly stateOf?: (rows: readonly R[]) => Promise<(row: R) => string>;
  /** What to do where a search finds nothing (default: the command that creates one). */
  readonly otherwise?: string;
  /** An option for no record. */
  readonly none?: string | undefined;
  /** Whether one that isn't stored yet can be chosen. */
  readonly mayAdd?: boolean;
}

export const addOneWith = (command: string): string => `add one with \`${command}\``;

/** One record of a list, found by typing. Records of the past aren't offered. */
export async function askRecord<R extends Named = Named>(
  context: Context,
  question: RecordQuestion<R>,
): Promise<R | NewRecord | undefined> {
  const { resource, label, query = {}, none, mayAdd = false } = question;
  const { also, describe, stateOf } = question;
  const rule = labelRuleOf(resource) as LabelRule;
  const methods = methodsOf(await context.client(), resource);
  const shown = recordsShown(context.io) - Number(mayAdd) - Number(none !== undefined);
  const inOrder = (rows: readonly R[]) => (rule.byName ? rows.toSorted(byName) : rows);
  const current = (rows: readonly Row[]) => rows.filter((row) => !rule.past?.(row)) as R[];
  const readFirst = async () => {
    const { data, total } = await methods.list({ ...query, limit: 200 });
    const { isWhole } = listedIn({ data, total });
    return { records: inOrder(current(data)), isWhole, total: total ?? data.length };
  };
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const start = question.first ? undefined : await readFirst();
  let reading: Promise<readonly R[]> | undefined;
  /**
   * For a list that the server doesn't search: all of it, once something is typed. A failure is
   * shown, and the next key reads it again.
   */
  const readAll = (): Promise<readonly R[]> => {
    if (start?.isWhole) return Promise.resolve(start.records);
    reading ??= gather(methods.all(query)).then(current, (error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const textsOf =
    question.textsOf ?? ((row: R) => [rule.label(row), ...rule.names(row), rule.detail?.(row)]);
  const { create } = (contract[resource] as Resource).operations;
  const group = rule.list.split(' ').slice(1, -1);
  const addOne = create && addOneWith(nextCommand([...group, 'create'], connectionFlags(context)));
  return askFound<R, NewRecord | undefined>(context, {
    label,
    hint: question.hint ?? nameHint,
    one: question.one ?? rule.one,
    otherwise: question.otherwise ?? addOne,
    initial: question.initial,
    earlier: question.earlier,
    latest: question.first ?? (start as Found<R>),
    async find(typed, signal) {
      const [search] = rule.searches?.(typed) ?? [];
      if (!search) {
        const records = (await readAll()).filter((row) => holdsSearch(textsOf(row), typed));
        return { records: inOrder(records), total: records.length };
      }
      const [{ data, total = data.length }, others] = await Promise.all([
        methods.list({ ...query, ...search, limit: Math.max(shown, 20) }, { signal, retries: 1 }),
        also?.(typed, signal) ?? [],
      ]);
      const found = current(data);
      const records = [
        ...new IdMap([...found, ...current(others)].map((row) => [row.id, row])).values(),
      ];
      return { records, total: total - data.length + records.length };
    },
    listed: async () =>
      rule.searches ? (start ?? readFirst()) : { records: await readAll(), isWhole: true },
    textsOf,
    shown,
    optionsOf: async (rows) =>
      recordOptions(context, rows, { rule, describe, stateOf: await stateOf?.(rows) }),
    others({ typed, notFound = '' }) {
      const nobody = none === undefined ? [] : [noneOption(none, typed !== '')];
      const added = mayAdd ? [newOption(label, notFound)] : [];
      return typed === '' && none !== undefined
        ? { above: [...nobody, ...added] }
        : { below: [...added, ...nobody] };
    },
  });
}

type Named = Row & { readonly id: string; readonly name?: string | null };

const noneOption = (name: string, deliberate: boolean): Option<undefined> => ({
  name,
  short: name.toLowerCase(),
  value: undefined,
  deliberate,
});

export const newOption = (label: string, searched: string): Option<NewRecord> => ({
  name: `＋ Add a new ${label.toLowerCase()}${searched ? ` (“${sanitize(searched)}” not found)` : ''}`,
  short: 'new',
  value: { kind: 'new', searched },
  deliberate: true,
});

interface Described {
  readonly detail: string;
  /** Shown as the answer. */
  readonly short: string;
  /** Below the list, while the cursor is on it. */
  readonly about?: string;
}

interface Columns<R> {
  readonly rule: LabelRule;
  readonly describe?: ((row: R) => Described) | undefined;
  readonly stateOf?: ((row: R) => string) | undefined;
}

/** Name, detail and state in columns, so that equal names differ. */
function recordOptions<R extends Named>(
  { io, styles }: Context,
  rows: readonly R[],
  { rule, describe, stateOf }: Columns<R>,
): Option<R>[] {
  const described = rows.map((row) => {
    const name = sanitize(rule.label(row) || String(row.id));
    const { detail, short, about } = describe?.(row) ?? {
      detail: rule.detail?.(row) ?? '',
      short: name,
    };
    return {
      name,
      detail: sanitize(detail),
      state: sanitize(stateOf?.(row) ?? ''),
      short: sanitize(short),
      value: row,
      about: sanitize(about ?? '') || undefined,
    };
  });
  const columns = io.columns ?? 80;
  const nameWidth = widest(
    described.map(({ name }) => name),
    30,
  );
  const states = described.map(({ state }) => state);
  const stateWidth = stateOf ? Math.max(8, widest(states, 16)) : 0;
  const room = Math.max(8, columns - nameWidth - stateWidth - 8);
  const detailWidth = widest(
    described.map(({ detail }) => detail),
    room,
  );
  return described.map(({ name, detail, state, ...option }) => {
    const rest = `${fill(detail, detailWidth)}  ${styles.dim(fill(state, stateWidth).trimEnd())}`;
    return {
      ...option,
      name: `${fill(name, nameWidth)}  ${stateOf ? rest : styles.dim(fill(detail, room).trimEnd())}`.trimEnd(),
    };
  });
}
