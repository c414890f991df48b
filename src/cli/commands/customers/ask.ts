/** The questions of `cs customers create`. */
import { type AskCreate, askRecordForm } from '../../resources/record-form.ts';
import { readScopes } from '../counter/event.ts';
import { customerBody, customerQuestions, type OwnerAnswers } from '../counter/new-car.ts';

export const askCustomer: AskCreate = async (context, body, creating) => {
  (await readScopes(context, 'customer')).require('write:customers');
  return askRecordForm<OwnerAnswers>(context, {
    resource: 'customers',
    questions: customerQuestions({ asksCompany: true }),
    given: body as OwnerAnswers,
    body,
    bodyOf: (answers) => ({ ...customerBody(answers) }),
    rows: ({ firstName, lastName, companyName, phone, email }) => [
      ['Name', [firstName, lastName].filter(Boolean).join(' '), ['firstName', 'lastName']],
      ['Company', companyName, ['companyName']],
      ['Phone', phone, ['phone']],
      ['E-mail', email, ['email']],
    ],
    creating,
  });
};
