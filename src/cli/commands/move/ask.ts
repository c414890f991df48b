/** The questions of `cs move`. Nothing is stored. */
import type { Context } from '../../framework/context.ts';
import type { Car } from '../../lookup/car.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { askParkedCar } from '../counter/ask-car.ts';
import { askPlace } from '../counter/ask-place.ts';
import { keepAnswers } from '../counter/keep-answers.ts';
import { describePlace, type Place } from '../counter/place.ts';
import { findCurrentPlace, findFreePlace, type MoveFlags, type MovePlan } from './plan.ts';

interface Answers {
  readonly car: Car;
  /** Looked up. */
  readonly from: Place | undefined;
  readonly place: Place;
}

/** The car and a free place, each where the flags leave it open. Stored without a summary: `Undo` takes it back. */
export async function askCarAndPlace(
  context: Context,
  { car, from }: Partial<Pick<MovePlan, 'car' | 'from'>>,
  flags: MoveFlags,
): Promise<Pick<MovePlan, 'car' | 'from' | 'to'>> {
  const questions: Question<Answers>[] = [
    { name: 'car', part: 'Car', ask: (asking) => askParkedCar(asking, flags.car) },
    {
      name: 'from',
      part: 'Car',
      dependsOn: ['car'],
      ask: (asking, { answers }) => findCurrentPlace(asking, answers.car as Car),
    },
    {
      name: 'place',
      part: 'Place',
      async ask(asking, { answers, earlier }) {
        const moved = { car: answers.car as Car, from: answers.from };
        const given = earlier === undefined ? await findFreePlace(asking, flags, moved) : undefined;
        return given ?? askPlaceBelow(asking, { ...moved, earlier });
      },
    },
  ];
  const { place: to, ...moved } = await askForm(context, {
    questions,
    given: car ? { car, from } : {},
    recover: keepAnswers(context, { command: 'move', flags }),
  });
  return { ...moved, to };
}

/** Asks for a free place, below a line with the place of the car. */
export async function askPlaceBelow(
  context: Context,
  { car, from, earlier }: { readonly car: Car; readonly from?: Place | undefined; readonly earlier?: Place | undefined },
): Promise<Place> {
  if (!context.settings.quiet) context.io.stderr.write(labelled(context, [['Parked in', from && describePlace(from)]]));
  return askPlace(context, { car, from, earlier });
}
