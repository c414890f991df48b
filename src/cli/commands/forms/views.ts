import type { Context } from '../../context.ts';
import { type Column, idColumn, type Row, timeColumn } from '../../output/view.ts';
import type { Arrange } from '../../resources/definition.ts';
import { findLabels } from '../../resources/find-labels.ts';
import { column, reference, state, viewOf } from '../../resources/view.ts';
import { questionsOf } from './questions.ts';

export const formView = viewOf('forms', {
  columns: [
    column('name'),
    column('slug'),
    state(),
    { header: 'questions', cell: (row) => questionsOf(row)?.length, align: 'right' },
    { header: 'submissions', cell: (row) => row.submissionCount, align: 'right' },
    idColumn,
  ],
  emptyHint: 'Create one with `cs forms create --name NAME --input form.json`.',
});

export const submissionView = viewOf('formSubmissions', {
  columns: [
    timeColumn('submitted', 'submittedAt'),
    state(),
    reference('customer', 'customerId', 'customers'),
    idColumn,
  ],
  emptyHint: 'Publish the form to receive some: `cs forms publish FORM`.',
});

/** After the answers, these fields come first. */
const own = ['status', 'customer', 'submittedAt', 'id'];

export const submissionTable: Arrange = async (context, { parents: [formId = ''], records }) => {
  const client = await context.client();
  const asked = (questionsOf(await client.forms.get(formId)) ?? []).map(({ key }) => key);
  const past = keysIn(records).filter((key) => !asked.includes(key));
  const rest =
    submissionView.fields?.filter((field) => !own.includes(field) && field !== 'data') ?? [];
  const taken = new Set([...own, ...rest, 'data']);
  // A question may have the key of a field of the submission.
  const nameOf = (key: string) => (taken.has(key) ? `data.${key}` : key);
  const customers = await customerNames(context, records);
  return {
    view: {
      ...submissionView,
      columns: [
        { ...timeColumn('submitted', 'submittedAt'), droppable: undefined },
        state(),
        ...[...asked, ...past].map(
          (key): Column => ({
            header: nameOf(key),
            cell: (row) => row.data?.[key],
            droppable: true,
          }),
        ),
        { header: 'customer', cell: ({ customer, customerId }) => customer ?? customerId },
        idColumn,
      ],
      fields: [...asked.map(nameOf), ...own, ...rest, ...past.map(nameOf)],
    },
    records: records.map((row) => ({
      ...Object.fromEntries(
        [...asked, ...past]
          .filter((key) => !taken.has(key))
          .map((key) => [key, answerOf(row.data?.[key])]),
      ),
      ...row,
      customer: customers.get(row.customerId) ?? null,
    })),
  };
};

/** Keys of answers in the order of appearance. */
const keysIn = (records: readonly Row[]): string[] => [
  ...new Set(records.flatMap(({ data }) => Object.keys(data ?? {}))),
];

/** Several choices in one cell. */
const answerOf = (answer: unknown): unknown =>
  Array.isArray(answer) ? answer.join('; ') : (answer ?? null);

async function customerNames(
  context: Context,
  records: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(
    records.map(({ customerId }) => customerId as unknown).filter((id) => typeof id === 'string'),
  );
  return (await findLabels(context, new Map([['customers', ids]]))).get('customers') ?? new Map();
}
