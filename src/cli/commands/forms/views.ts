import { column, reference, state, timeColumn, viewOf } from '../../crud/view.ts';
import { idColumn } from '../../output/view.ts';

export const formView = viewOf('forms', {
  columns: [
    column('name'),
    column('slug'),
    state(),
    { header: 'questions', cell: (row) => row.fields?.length, align: 'right' },
    { header: 'submissions', cell: (row) => row.submissionCount, align: 'right' },
    idColumn,
  ],
  emptyHint: 'Make one with `cs forms create --name NAME --input @form.json`.',
});

export const submissionView = viewOf('formSubmissions', {
  columns: [timeColumn('submitted', 'submittedAt'), state(), reference('customer', 'customerId', 'customers'), idColumn],
  emptyHint: 'They come in once the form is published: `cs forms publish FORM`.',
});
