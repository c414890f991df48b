/** The questions of `cs customers create`. */
import { type AskCreate, askRecordForm } from '../../crud/record-form.ts';
import { customerBody, customerQuestions, type OwnerAnswers } from '../counter/ask-owner.ts';

export const askCustomer: AskCreate = (context, body, creating) =>
  askRecordForm<OwnerAnswers>(context, {
    resource: 'customers',
    questions: customerQuestions(),
    given: body as OwnerAnswers,
    body,
    bodyOf: customerBody,
    rows: ({ firstName, lastName, phone, email }) => [
      ['Name', [firstName, lastName].filter(Boolean).join(' '), ['firstName', 'lastName']],
      ['Phone', phone, ['phone']],
      ['E-mail', email, ['email']],
    ],
    creating,
  });
