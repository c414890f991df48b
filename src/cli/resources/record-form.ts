/**
 * The questions of a `create` on a terminal: its values one after another, then a summary before
 * anything is stored.
 */

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { choicesOf, kindOf } from '../../contract/schemas.ts';
import { byName } from '../../facility/natural.ts';
import type { Context } from '../context.ts';
import { isServerAway, isUncertain } from '../errors/final.ts';
import { isRefused, refusalText, refusedFields } from '../errors/refusal.ts';
import { reasonOf, wrapFailure } from '../errors/report.ts';
import { connectionFlags, nextCommand } from '../framework/next-command.ts';
import { holdsSearch } from '../input/matching.ts';
import { localTimeWithDay } from '../input/when.ts';
import { labelled } from '../output/labelled.ts';
import { cellText, type Row } from '../output/view.ts';
import { askFound, listedIn } from '../prompts/ask-found.ts';
import { AnswerRefused, askForm, type Question } from '../prompts/form.ts';
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
   * Stores what the record names, before it is stored. `settle` replaces an answer by what is
   * stored of it.
   */
  readonly storeBefore?: (
    answers: A,
    storing: { readonly settle: (stored: Partial<A>) => void; readonly idempotencyKey: string },
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
    store: (answers: A, settle: (stored: Partial<A>) => void) =>
      storeOrCorrect(context, {
        line: () => lineOf(answers),
        questionOf,
        async store(idempotencyKey) {
          await check?.(bodyOf(answers), answers);
          await storeBefore?.(answers, { settle, idempotencyKey: `${idempotencyKey}-before` });
          await store(bodyOf(answers), idempotencyKey);
        },
      }),
  };
  const answers = await askForm<A>(context, {
    questions,
    given,
    review: isApproved ? undefined : review,
    recover: tryAgain(context, lineOf),
  });
  if (isApproved) await check?.(bodyOf(answers), answers);
  if (isApproved && !isDryRun)
    await storeBefore?.(answers, {
      settle: (stored) => Object.assign(answers, stored),
      idempotencyKey: randomUUID(),
    });
  return bodyOf(answers);
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
    const schema = fields[name]?.schema;
    const label = labels.get(fields[name]?.references ?? '')?.get(String(value));
    const isTime = schema && kindOf(schema) === 'timestamp' && typeof value === 'string';
    return [
      words(name).replace(/ ID$/, ''),
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

interface Storing {
  /** The command that goes on. */
  readonly line: () => string;
  /** The question about a field, where there is one. */
  readonly questionOf: (field: string) => PropertyKey | undefined;
  /** Sends the same key each time, so that a request that got no answer is stored once. */
  readonly store: (idempotencyKey: string) => Promise<void>;
}

/**
 * Stores what was approved. What is refused is an answer to correct; what got no answer is sent
 * again where that stores it once.
 */
async function storeOrCorrect(
  context: Context,
  { line, questionOf, store }: Storing,
): Promise<void> {
  const idempotencyKey = randomUUID();
  for (;;) {
    try {
      return await store(idempotencyKey);
    } catch (error) {
      if (isRefused(error))
        throw new AnswerRefused(
          refusalText(error),
          refusedFields(error)
            .map(questionOf)
            .find((name) => name !== undefined),
        );
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

interface LineQuestion {
  readonly fields: Readonly<
    Record<
      string,
      { readonly schema: z.ZodType; readonly create: string; readonly initial?: unknown }
    >
  >;
  readonly name: string;
  readonly label: string;
  /** The answer that nobody needs to be asked for. */
  readonly preset?: () => { readonly answer: unknown };
  /** What is wrong with a value that the schema takes. */
  readonly refuse?: Parameters<typeof askField>[1]['refuse'];
}

/** The question for one field: a line, or a list of the values that it takes. */
export function fieldQuestion<A extends object>({
  fields,
  name,
  label,
  preset,
  refuse,
}: LineQuestion): Question<A> {
  const { schema, create, initial } = fields[name] as LineQuestion['fields'][string];
  const choices = choicesOf(schema);
  const ask = (context: Context, { earlier }: { readonly earlier: unknown }): Promise<unknown> => {
    const required = create === 'required';
    if (!choices) return askField(context, { schema, label, required, earlier, refuse });
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
      first: (earlier ?? initial) as string | undefined,
    });
  };
  return { name, part: label, preset, ask } as unknown as Question<A>;
}

interface RecordQuestion {
  readonly resource: ResourceName;
  readonly label: string;
  /** (default: `a name, or a part of it`) */
  readonly hint?: string;
  /** Narrows the list, such as to one location. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly earlier?: Row | undefined;
  /** An option for no record. */
  readonly none?: string;
}

export const addOneWith = (command: string): string => `add one with \`${command}\``;

/** One record of a list, found by typing. */
export async function askRecord(
  context: Context,
  question: RecordQuestion,
): Promise<Row | undefined> {
  const { resource, label, hint = nameHint, query = {}, earlier, none } = question;
  const rule = labelRuleOf(resource) as LabelRule;
  const methods = methodsOf(await context.client(), resource);
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const latest = await methods.list({ ...query, limit: 200 });
  const shown = recordsShown(context.io);
  const inOrder = <R extends Row>(rows: readonly R[]) =>
    rule.byName ? rows.toSorted(byName) : rows;
  const nobody = (deliberate: boolean): Option<undefined>[] =>
    none === undefined
      ? []
      : [{ name: none, short: none.toLowerCase(), value: undefined, deliberate }];
  const textsOf = (row: Named) => [rule.label(row), ...rule.names(row), rule.detail?.(row)];
  const first = listedIn({ data: inOrder(latest.data as Named[]), total: latest.total });
  let reading: Promise<Named[]> | undefined;
  /**
   * For a list that the server doesn't search: all of it, once something is typed. A failure is
   * shown, and the next key reads it again.
   */
  const readAll = (): Promise<readonly Named[]> => {
    if (first.isWhole) return Promise.resolve(first.records);
    reading ??= gather(methods.all(query) as AsyncIterable<Named>).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const { create } = (contract[resource] as Resource).operations;
  const group = rule.list.split(' ').slice(1, -1);
  return askFound<Named, undefined>(context, {
    label,
    hint,
    one: rule.one,
    otherwise: create && addOneWith(nextCommand([...group, 'create'], connectionFlags(context))),
    earlier: earlier as Named | undefined,
    latest: { records: first.records, total: latest.total ?? latest.data.length },
    async find(typed, signal) {
      const [search] = rule.searches?.(typed) ?? [];
      if (!search) {
        const records = (await readAll()).filter((row) => holdsSearch(textsOf(row), typed));
        return { records: inOrder(records), total: records.length };
      }
      const { data, total } = await methods.list({ ...query, ...search, limit: shown }, { signal });
      return { records: data as Named[], total: total ?? data.length };
    },
    listed: async () => (rule.searches ? first : { records: await readAll(), isWhole: true }),
    textsOf,
    shown,
    optionsOf: (rows) => recordOptions(context, rows, rule),
    others: ({ typed }) => (typed === '' ? { above: nobody(false) } : { below: nobody(true) }),
  });
}

type Named = Row & { readonly id: string };

/** Name and detail in columns, so that equal names differ. */
export function recordOptions<R extends Named>(
  { io, styles }: Context,
  rows: readonly R[],
  rule: LabelRule,
): Option<R>[] {
  const names = rows.map((row) => sanitize(rule.label(row) || String(row.id)));
  const nameWidth = widest(names, 30);
  const room = Math.max(8, (io.columns ?? 80) - nameWidth - 6);
  return rows.map((row, index) => {
    const name = names[index] as string;
    const detail = sanitize(rule.detail?.(row) ?? '');
    return {
      name: detail ? `${fill(name, nameWidth)}  ${styles.dim(fill(detail, room).trimEnd())}` : name,
      short: name,
      value: row,
    };
  });
}
