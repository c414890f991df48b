/** The questions of `cs contacts create`. */
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Question } from '../../prompts/form.ts';
import {
  type AskCreate,
  askRecord,
  askRecordForm,
  fieldQuestion,
} from '../../resources/record-form.ts';
import { stateWords } from '../../terminal/text.ts';
import { readScopes } from '../counter/event.ts';
import { customerSearchHint } from '../counter/new-car.ts';

type NewContact = CreateFor<'contacts'>;

interface Answers
  extends Partial<Pick<NewContact, 'firstName' | 'lastName' | 'phone' | 'email' | 'role'>> {
  /** Whose contact it is. */
  readonly customer?: RecordFor<'customers'> | undefined;
}

export const askContact: AskCreate = async (context, body, creating) => {
  (await readScopes(context, 'contact')).require('write:contacts');
  const { fields } = contract.contacts;
  const line = (name: keyof Answers, label: string) =>
    fieldQuestion<Answers>({ fields, name, label });
  const questions: Question<Answers>[] = [
    line('firstName', 'First name'),
    line('lastName', 'Last name'),
    {
      name: 'customer',
      part: 'Customer',
      applies: () => body.customerId === undefined,
      ask: async (asking, { earlier }) =>
        (await askRecord(asking, {
          resource: 'customers',
          label: 'Customer',
          hint: customerSearchHint,
          earlier,
          none: 'No customer',
        })) as Answers['customer'],
    },
    line('role', 'Role'),
    line('phone', 'Phone'),
    line('email', 'E-mail'),
  ];
  return askRecordForm<Answers>(context, {
    resource: 'contacts',
    questions,
    given: Object.fromEntries(questions.map(({ name }) => [name, body[name]])) as Answers,
    body,
    bodyOf: ({ customer, ...answers }) => ({
      ...Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)),
      ...(customer && { customerId: customer.id }),
    }),
    rows: ({ customer, firstName, lastName, role, phone, email }) => [
      ['Name', [firstName, lastName].filter(Boolean).join(' '), ['firstName', 'lastName']],
      ...(customer ? ([['Customer', customerName(customer), ['customerId']]] as const) : []),
      ['Role', role && stateWords(role), ['role']],
      ['Phone', phone, ['phone']],
      ['E-mail', email, ['email']],
    ],
    creating,
  });
};
