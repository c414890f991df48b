import type { Context } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { change, findBy } from '../records.ts';
import { slugOf } from '../values.ts';
import { checkAnswers, requireValidQuestions } from './form-answers.ts';
import { AlreadyExists, type RulesOf } from './rule.ts';

export const forms: RulesOf<'forms'> = {
  async create(context, { body }, proceed) {
    const form = await proceed(
      body.slug === undefined ? { slug: await freeSlug(context, body.name) } : {},
    );
    requireValidQuestions(form);
    return form;
  },
  /** Submissions keep their data, so the fields of a form can change at any time. */
  async update(_context, _input, proceed) {
    const form = await proceed();
    requireValidQuestions(form);
    return form;
  },
};

/** Made from the name; a number is appended if it's taken. */
async function freeSlug({ db, team }: Context, name: string): Promise<string> {
  // Leaves room for a number.
  const base = slugOf(name, 56) || 'form';
  const rows = await db
    .selectFrom('forms')
    .select('slug')
    .where('teamId', '=', team.id)
    .where((where) => where.or([where('slug', '=', base), where('slug', 'like', `${base}-%`)]))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

export const formSubmissions: RulesOf<'formSubmissions'> = {
  async create(context, { parent: form, body }, proceed) {
    // The submission of an earlier try, also if the form was closed since.
    const known =
      body.externalId &&
      (await findBy(context, 'formSubmissions', { formId: form.id, externalId: body.externalId }));
    if (known) return new AlreadyExists(known);
    if (form.status !== 'published') {
      throw new ApiProblem(
        'form_closed',
        `The form ${form.name} isn't open for submissions: its status is ${form.status}`,
        {
          formId: form.id,
          status: form.status,
        },
      );
    }
    const submission = await proceed({
      data: checkAnswers(form.fields, body.data),
      submittedAt: context.now,
    });
    await change(context, 'forms', form, { submissionCount: form.submissionCount + 1 });
    return submission;
  },
};
