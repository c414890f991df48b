/** The questions of `cs cars create`. A new owner is stored before the car, once the summary is approved. */

import { describeCar } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import { type AskCreate, askRecordForm, isNew } from '../../resources/record-form.ts';
import { readScopes } from '../counter/event.ts';
import {
  carBody,
  customerBody,
  type NewCarAnswers,
  newCarQuestions,
  ownerText,
} from '../counter/new-car.ts';

export const askCar: AskCreate = async (context, body, creating) => {
  const scopes = await readScopes(context, 'car');
  scopes.require('write:cars');
  const questions = newCarQuestions({
    // Nothing is sent in a dry run, so the car would have an owner that doesn't exist.
    mayAddOwner: scopes.allow('write:customers') && !creating.isDryRun,
    asksOwner: body.customerId === undefined && scopes.allow('read:customers'),
  });
  return askRecordForm<NewCarAnswers>(context, {
    resource: 'cars',
    questions,
    given: Object.fromEntries(questions.map(({ name }) => [name, body[name]])) as NewCarAnswers,
    body,
    bodyOf: carBody,
    rows: (answers) => [
      ['Car', describeCar(carBody(answers)), ['year', 'make', 'model', 'licensePlate', 'nickname']],
      ['Colour', answers.color, ['color']],
      ...(answers.owner ? ([['Owner', ownerText(answers), ['customerId']]] as const) : []),
    ],
    creating,
    async storeBefore(answers, { keepStored, idempotencyKey }) {
      if (!isNew(answers.owner)) return;
      const { customers } = await context.client();
      const owner = await customers.create(customerBody(answers), { idempotencyKey });
      // From here on it is a known customer, whatever happens to the car.
      keepStored({ owner });
      context.note(`The owner is stored: ${customerName(owner)}`);
    },
    questionOf: { customerId: 'owner' },
  });
};
