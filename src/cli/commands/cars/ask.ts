/** The questions of `cs cars create`. A new owner is stored before the car, once the summary is approved. */

import { describeCar } from '../../../facility/car-names.ts';
import { type AskCreate, askRecordForm } from '../../resources/record-form.ts';
import { readScopes } from '../counter/ask-event.ts';
import {
  carBody,
  type NewCarAnswers,
  newCarOf,
  newCarQuestions,
  ownerText,
} from '../counter/ask-new-car.ts';
import { customerName } from '../counter/ask-owner.ts';
import { newCarLine } from '../counter/keep-answers.ts';

export const askCar: AskCreate = async (context, body, creating) => {
  const scopes = await readScopes(context, 'car');
  scopes.require('write:cars');
  const questions = newCarQuestions({
    // Nothing is sent in a dry run, so the car would have an owner that doesn't exist.
    mayAddOwner: scopes.allow('write:customers') && !creating.isDryRun,
    asksOwner: body.customerId === undefined,
  });
  return askRecordForm<NewCarAnswers>(context, {
    resource: 'cars',
    questions,
    given: Object.fromEntries(questions.map(({ name }) => [name, body[name]])) as NewCarAnswers,
    body,
    bodyOf: carBody,
    rows: (answers) => [
      [
        'Car',
        describeCar(newCarOf(answers).values),
        ['year', 'make', 'model', 'licensePlate', 'nickname'],
      ],
      ['Colour', answers.color, ['color']],
      ...(answers.owner
        ? ([['Owner', ownerText(newCarOf(answers)), ['customerId']]] as const)
        : []),
    ],
    creating,
    async storeBefore(answers, { settle, idempotencyKey }) {
      const { newOwner } = newCarOf(answers);
      if (!newOwner) return;
      const owner = await (await context.client()).customers.create(newOwner, { idempotencyKey });
      // From here on it is a known customer, whatever happens to the car.
      settle({ owner });
      context.note(`The owner is stored: ${customerName(owner)}`);
    },
    questionOf: { customerId: 'owner' },
    lineOf: (answers, record) => newCarLine(context, answers, record),
  });
};
