/** The questions of `cs contacts create`. Nothing is stored. */
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import { type AskCreate, askRecord, askRecordForm, fieldQuestion } from '../../crud/record-form.ts';
import type { Question } from '../../prompts/form.ts';
import { stateWords } from '../../terminal/text.ts';
import { customerName } from '../counter/ask-owner.ts';

type NewContact = CreateFor<'contacts'>;

interface Answers extends Partial<Pick<NewContact, 'firstName' | 'lastName' | 'phone' | 'email' | 'role'>> {
  /** Whose contact it is. */
  readonly customer?: RecordFor<'customers'> | undefined;
}

export const askContact: AskCreate = async (context, body, { isDryRun }) => {
  const { fields } = contract.contacts;
  const line = (name: keyof Answers, label: string) => fieldQuestion<Answers>({ fields, name, label });
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
          hint: 'name, company, e-mail or phone, or a part of it',
          earlier,
          none: 'No customer',
        })) as Answers['customer'],
    },
    line('role', 'Role'),
    line('phone', 'Phone'),
    line('email', 'E-mail'),
  ];
  const { customer, ...answers } = await askRecordForm<Answers>(context, {
    what: 'contact',
    questions,
    given: Object.fromEntries(questions.map(({ name }) => [name, body[name]])) as Answers,
    isDryRun,
    rows: ({ customer: one, firstName, lastName, role, phone, email }) => [
      ['Name', [firstName, lastName].filter(Boolean).join(' ')],
      ['Customer', one && customerName(one)],
      ['Role', role && stateWords(role)],
      ['Phone', phone],
      ['E-mail', email],
    ],
  });
  const given = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined));
  return { ...body, ...given, ...(customer && { customerId: customer.id }) };
};
