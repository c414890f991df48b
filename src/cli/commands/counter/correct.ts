/** What a person corrects after the server refused it: the question that the refusal is about, and the answers that stay. */

import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { reportOf, sentence } from '../../errors/report.ts';
import { readSteps, type Work } from '../../state/work.ts';
import type { ActionPlan, AnyAction } from './action.ts';
import { isAnyCarHere } from './ask-car.ts';
import { isUnknown } from './ask-new-car.ts';
import { asParkingChanged, isParkingChanged, questionAbout } from './failures.ts';
import { asPlaceConflict, type Place } from './place.ts';
import { asRefusedTime } from './refusal.ts';

interface Refused {
  readonly work: Work;
  readonly plan: ActionPlan;
  readonly cause: unknown;
}

interface Correction {
  readonly given: Partial<ActionPlan>;
  readonly wrong: readonly string[];
  /** The summary needs no second approval. */
  readonly isApproved: boolean;
}

/** Tells what was refused. Undefined where another answer may not help. */
export async function correct(
  context: Context,
  action: AnyAction,
  { work, plan, cause }: Refused,
): Promise<Correction | undefined> {
  if (!action.again) return undefined;
  const answers = new Map(
    readSteps(context.io, work.id).flatMap(({ name, answer }) =>
      answer === undefined ? [] : [[name, answer] as const],
    ),
  );
  const given = withStored(plan, answers);
  if (isParkingChanged(cause) && !isUnknown(plan.car)) {
    const car = await (await context.client()).cars.get(plan.car.id);
    const again = action.again(given, car);
    if (again.wrong.includes('car') && !(await isAnyCarHere(context))) return undefined;
    tell(context, asParkingChanged(cause, plan.car, context), 'Please check it.');
    return { ...withoutRefusedCar(again), isApproved: false };
  }
  const about = (action.about?.(plan, cause, new Set(answers.keys())) ?? questionAbout(cause)) as
    | string
    | undefined;
  if (about === undefined) return undefined;
  const isPlace = about === 'place';
  const { place } = plan as { readonly place?: Place };
  const conflict =
    isPlace && place ? await asPlaceConflict(context, place.record.name, cause) : undefined;
  tell(
    context,
    conflict ?? asRefusedTime(cause) ?? cause,
    isPlace ? 'Choose another place.' : 'Please correct it.',
  );
  return { ...withoutRefusedCar({ given, wrong: [about] }), isApproved: isPlace };
}

const tell = ({ warn }: Context, error: unknown, next: string): void =>
  warn(`${sentence(reportOf(error).message)} ${next}`);

/** The list doesn't start with the car that was refused. */
const withoutRefusedCar = ({
  given,
  wrong,
}: Pick<Correction, 'given' | 'wrong'>): Pick<Correction, 'given' | 'wrong'> => {
  if (!wrong.includes('car')) return { given, wrong };
  const { car: _, ...others } = given;
  return { given: others, wrong };
};

/** A new car as far as it is stored, so that nothing of it is stored twice. */
function withStored(plan: ActionPlan, answers: ReadonlyMap<string, unknown>): ActionPlan {
  if (!isUnknown(plan.car)) return plan;
  const car = answers.get('car') as Car | undefined;
  if (car) return { ...plan, car };
  const owner = answers.get('owner');
  return owner ? ({ ...plan, owner } as ActionPlan) : plan;
}
