/** The questions of `cs customers create`. Nothing is stored. */
import { type AskCreate, askRecordForm } from '../../crud/record-form.ts';
import { type CustomerAnswers, customerBody, customerQuestions } from '../counter/ask-owner.ts';

export const askCustomer: AskCreate = async (context, body, { isDryRun }) => {
  const answers = await askRecordForm<CustomerAnswers>(context, {
    what: 'customer',
    questions: customerQuestions(),
    given: body as CustomerAnswers,
    isDryRun,
    rows: ({ firstName, lastName, phone, email }) => [
      ['Name', [firstName, lastName].filter(Boolean).join(' ')],
      ['Phone', phone],
      ['E-mail', email],
    ],
  });
  return { ...body, ...customerBody(answers) };
};
