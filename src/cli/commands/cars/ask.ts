/** The questions of `cs cars create`. A new owner is stored first, once the summary is approved. */
import { type AskCreate, askRecordForm } from '../../crud/record-form.ts';
import { describeCar } from '../../lookup/car.ts';
import { readScopes } from '../counter/ask-event.ts';
import { type NewCarAnswers, newCarOf, newCarQuestions } from '../counter/ask-new-car.ts';
import { customerName } from '../counter/ask-owner.ts';

export const askCar: AskCreate = async (context, body, { isDryRun }) => {
  const scopes = await readScopes(context, 'car');
  scopes.require('write:cars');
  const questions = newCarQuestions({
    // Nothing is sent in a dry run, so the car would have an owner that doesn't exist.
    mayAddOwner: scopes.allow('write:customers') && !isDryRun,
    asksOwner: body.customerId === undefined,
  });
  const given = Object.fromEntries(questions.map(({ name }) => [name, body[name]])) as NewCarAnswers;
  const answers = await askRecordForm<NewCarAnswers>(context, {
    what: 'car',
    questions,
    given,
    isDryRun,
    rows: (all) => {
      const { values, owner } = newCarOf(all);
      return [
        ['Car', describeCar(values)],
        ['Colour', values.color],
        ['Owner', owner],
      ];
    },
  });
  const { values, newOwner } = newCarOf(answers);
  if (!newOwner) return { ...body, ...values };
  const owner = await (await context.client()).customers.create(newOwner);
  context.note(`The owner is stored: ${customerName(owner)}`);
  return { ...body, ...values, customerId: owner.id };
};
