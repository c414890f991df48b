/** The questions of `cs move`. Nothing is stored. */

import { type Car, describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { print } from '../../prompts/run.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import { readScopes } from '../counter/ask-event.ts';
import { orAskInstead } from '../counter/ask-instead.ts';
import { askPlace } from '../counter/ask-place.ts';
import { keepAnswers } from '../counter/keep-answers.ts';
import { currentPlace, describePlace, type Place } from '../counter/place.ts';
import { findFreePlace, type MoveFlags, type MovePlan, requireHere } from './plan.ts';

interface Answers {
  readonly car: Car;
  /** Looked up. */
  readonly from: Place | undefined;
  readonly place: Place;
}

type Moved = Pick<MovePlan, 'car' | 'from' | 'to'>;

/** The car and a free place, each where the flags leave it open. Stored without a summary: `Undo` takes it back. Missing scopes fail before the first question. */
export async function askCarAndPlace(
  context: Context,
  { car, from, to }: Partial<Moved>,
  flags: MoveFlags,
  /** The answers that were refused. */
  wrong?: readonly (keyof Answers)[],
): Promise<Moved> {
  const isGiven = car !== undefined && !wrong;
  const scopes = await readScopes(context, 'move');
  if (!isGiven) scopes.require('read:cars');
  scopes.require('write:parking');
  if (flags.spot === undefined && flags.zone === undefined) scopes.require('read:parking');
  const questions: Question<Answers>[] = [
    {
      name: 'car',
      part: 'Car',
      async ask(asking, { earlier }) {
        const chosen = await askParkedCar(asking, { initial: flags.car, earlier });
        await requireHere(asking, chosen);
        return chosen;
      },
    },
    {
      name: 'from',
      part: 'Car',
      dependsOn: ['car'],
      ask: (asking, { answers }) => currentPlace(asking, answers.car as Car),
    },
    {
      name: 'place',
      part: 'Place',
      async ask(asking, { answers, earlier, isCorrection }) {
        const moved = { car: answers.car as Car, from: answers.from };
        const given = isCorrection
          ? undefined
          : await orAskInstead(asking)('place', () => findFreePlace(asking, flags, moved));
        if (given) return given;
        if (!asking.settings.quiet) {
          const facts = [['Parked in', moved.from && describePlace(moved.from)]] as const;
          // The answer is stored at once, so the car of an argument is shown before it.
          print(
            asking,
            labelled(asking, isGiven ? [['Car', describeCar(moved.car)], ...facts] : facts),
          );
        }
        return askPlace(asking, { ...moved, earlier });
      },
    },
  ];
  const { place, ...moved } = await askForm(context, {
    questions,
    given: isGiven ? { car, from } : {},
    correcting: wrong && { answers: { car, from, place: to } as Partial<Answers>, wrong },
    recover: keepAnswers(context, { command: 'move', flags }),
  });
  return { ...moved, to: place };
}
