/** The questions of a `create` on a terminal: its values one after another, then a summary before anything is stored. */

import type { z } from 'zod';
import { ApiError, NetworkError } from '../../client/errors.ts';
import type { ResourceName } from '../../contract/contract.ts';
import { choicesOf } from '../../contract/schemas.ts';
import { reportOf, sentence } from '../errors/report.ts';
import type { Context } from '../framework/context.ts';
import { type LabelRule, labelRules } from '../lookup/labels.ts';
import { labelled } from '../output/labelled.ts';
import type { Row } from '../output/view.ts';
import { askForm, type Question } from '../prompts/form.ts';
import { askOption, askSearch, moreHeading, type Option } from '../prompts/prompts.ts';
import { sanitize, stateWords } from '../terminal/text.ts';
import { fill, widest } from '../terminal/width.ts';
import { askField } from './ask-field.ts';
import { methodsOf } from './methods.ts';

/** Asks for what a record needs that the flags leave open. Returns the whole body. Stores nothing of the record itself. */
export type AskCreate = (
  context: Context,
  body: Readonly<Record<string, unknown>>,
  options: { readonly isDryRun: boolean },
) => Promise<Record<string, unknown>>;

interface RecordForm<A extends object> {
  /** `customer` */
  readonly what: string;
  readonly questions: readonly Question<A>[];
  readonly given: Partial<A>;
  readonly rows: (answers: A) => readonly (readonly [label: string, value: string | null | undefined])[];
  readonly isDryRun: boolean;
}

export function askRecordForm<A extends object>(context: Context, { what, questions, given, rows, isDryRun }: RecordForm<A>): Promise<A> {
  const summary = (answers: A) => `\n${labelled(context, rows(answers))}\n`;
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<A>;
  return askForm(context, {
    questions,
    given: known,
    review: isDryRun ? undefined : { summary, question: `Store this ${what}?` },
    recover: tryAgain(context),
  });
}

/** For the questions of a form: when the server goes away, the answers are kept for another try. */
export function tryAgain(context: Context): (error: unknown) => Promise<void> {
  return async (error) => {
    const isAway = error instanceof NetworkError || (error instanceof ApiError && error.status >= 502);
    if (!isAway) throw error;
    context.warn(`${sentence(reportOf(error).message)} Your answers are kept.`);
    const options = [
      { name: 'Try again', value: true },
      { name: 'Leave', value: false },
    ];
    if (!(await askOption(context, { label: 'What now?', options }))) throw error;
  };
}

interface LineQuestion {
  readonly fields: Readonly<Record<string, { readonly schema: z.ZodType; readonly create: string; readonly initial?: unknown }>>;
  readonly name: string;
  readonly label: string;
  /** What people change to correct it (default: the label). */
  readonly part?: string;
}

/** The question for one field: a line, or a list of the values that it takes. */
export function fieldQuestion<A extends object>({ fields, name, label, part = label }: LineQuestion): Question<A> {
  const { schema, create, initial } = fields[name] as LineQuestion['fields'][string];
  const choices = choicesOf(schema);
  const ask = (context: Context, { earlier }: { readonly earlier: unknown }): Promise<unknown> => {
    const required = create === 'required';
    if (!choices) return askField(context, { schema, label, required, earlier });
    const options: Option<string | undefined>[] = choices.map((value) => ({ name: stateWords(value), value }));
    const takesNone = schema.safeParse(null).success;
    const none: Option<string | undefined>[] = takesNone ? [{ name: 'None', short: 'none', value: undefined }] : [];
    return askOption(context, { label, options: [...none, ...options], first: (earlier ?? initial) as string | undefined });
  };
  return { name, part, ask } as unknown as Question<A>;
}

interface RecordQuestion {
  readonly resource: ResourceName;
  readonly label: string;
  readonly hint: string;
  /** Narrows the list, such as to one location. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly earlier?: Row | undefined;
  /** An option for no record. */
  readonly none?: string;
}

const shownRecords = 9;

/** One record of a list, found by typing. */
export async function askRecord(context: Context, question: RecordQuestion): Promise<Row | undefined> {
  const { resource, label, hint, query = {}, earlier, none } = question;
  const rule = labelRules[resource] as LabelRule;
  const methods = methodsOf(await context.client(), resource);
  // Before the prompt: a wrong key or a broken network ends the command, not a search.
  const latest = await methods.list({ ...query, limit: 200 });
  // The record as it is read now: the prompt compares records by identity.
  const chosen = earlier && (latest.data.find(({ id }) => id === earlier.id) ?? earlier);
  const nobody: Option<Row | undefined>[] = none === undefined ? [] : [{ name: none, short: none.toLowerCase(), value: undefined }];
  return askSearch<Row | undefined>(context, {
    label,
    hint,
    ...(chosen && { first: chosen }),
    async find(term, signal) {
      const [search] = term === '' ? [] : (rule.searches?.(term) ?? []);
      const { data, total } = search ? await methods.list({ ...query, ...search, limit: shownRecords }, { signal }) : latest;
      const found = search
        ? data
        : data.filter((row) =>
            rule.names(row).some((name) =>
              String(name ?? '')
                .toLowerCase()
                .includes(term.toLowerCase()),
            ),
          );
      const shown = found.slice(0, shownRecords);
      const left = (search || term === '' ? Math.max(total ?? 0, found.length) : found.length) - shown.length;
      return [...nobody, ...recordOptions(context, shown, rule), ...moreHeading(left)];
    },
  });
}

/** Name and detail in columns, so that equal names differ. */
function recordOptions({ io, styles }: Context, rows: readonly Row[], rule: LabelRule): Option<Row | undefined>[] {
  const names = rows.map((row) => sanitize(rule.label(row) || String(row.id)));
  const nameWidth = widest(names, 30);
  const room = Math.max(8, (io.columns ?? 80) - nameWidth - 6);
  return rows.map((row, index) => {
    const name = names[index] as string;
    const detail = sanitize(rule.detail?.(row) ?? '');
    return { name: detail ? `${fill(name, nameWidth)}  ${styles.dim(fill(detail, room).trimEnd())}` : name, short: name, value: row };
  });
}
