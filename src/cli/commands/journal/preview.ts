/** What finishing an entry would send, and the conflicts that it would meet now. Sends nothing. */

import { IdMap } from '../../../client/ids.ts';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { isObject } from '../../input/plain-object.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { warnOfClock } from '../counter/event-time.ts';
import { carIdIn } from './car-id.ts';
import { photoStep, stepsOf } from './describe.ts';
import { isBegun, type StoredEntry } from './entry.ts';
import { answersByCode, explainRefusal, needsPerson, planQueued } from './plan-queued.ts';
import { requireStorable } from './present-state.ts';
import { journaledOf, type ResumeOptions } from './resume.ts';

export interface Preview {
  /** The steps that are left, in order. */
  readonly sends: readonly string[];
  /** Those of them that were sent without an answer. */
  readonly asks: readonly string[];
  /** The id of the entry before it on which it depends. */
  readonly after: string | null;
  /** Undefined where nothing stands in its way, as far as the server tells now. */
  readonly conflict: unknown;
}

/** The refusals that flags answer. */
type Answers = Pick<ResumeOptions, 'anyway' | 'presentTime'>;

/** In the order of the entries. What an entry meets because one before it isn't sent yet is no conflict. */
export async function previewEntries(
  context: Context,
  entries: readonly StoredEntry[],
  answers: Answers = {},
): Promise<Preview[]> {
  const entryOfCar = new IdMap<string>();
  const previews: Preview[] = [];
  for (const stored of entries) {
    const { plan, carId, conflict } = await look(context, stored, answers);
    const inTheWay = [carId, occupantIn(conflict)].map((id) =>
      id === undefined ? undefined : entryOfCar.get(id),
    );
    const after = inTheWay.find((id) => id !== undefined) ?? null;
    previews.push({
      ...(await stepsLeft(stored, plan)),
      after,
      conflict: after === null ? conflict : undefined,
    });
    if (carId !== undefined) entryOfCar.set(carId, stored.entry.id);
  }
  return previews;
}

interface Looked {
  /** Undefined where it can't be made now. */
  readonly plan?: object;
  readonly carId: string | undefined;
  readonly conflict?: unknown;
}

/** A queued entry of which nothing is stored is looked up, as its command would do in a script. */
async function look(
  context: Context,
  { entry, lines }: StoredEntry,
  answers: Answers,
): Promise<Looked> {
  const { queued, plan, command } = entry;
  if (!queued || (plan && isBegun(lines))) return { plan: plan ?? {}, carId: carIdIn(plan) };
  const journaled = await journaledOf(command);
  let planned: object | undefined;
  try {
    planned = (await planQueued({ ...context, interactive: false }, journaled, {
      ...entry,
      queued,
    })) as object;
    await requireStorable(context, command, planned);
    if (queued.at !== undefined) warnOfClock(context);
    return { plan: planned, carId: carIdIn(planned) };
  } catch (error) {
    const car = planned
      ? undefined
      : await resolveRecord(context, { resource: 'cars', text: String(queued.car) }).catch(
          () => undefined,
        );
    const by = answersByCode[reportOf(error).code as ErrorCode]?.by;
    const explained = await explainRefusal(context, entry, { error, plan: planned });
    const isAnswered = by && answers[by] && (by === 'anyway' || !needsPerson(entry, explained));
    const conflict = isAnswered ? undefined : explained;
    return { plan: planned, carId: carIdIn(planned) ?? car?.id, conflict };
  }
}

/** The car in the spot that was refused. */
function occupantIn(conflict: unknown): string | undefined {
  const details = conflict instanceof Error && 'details' in conflict ? conflict.details : undefined;
  return isObject(details) && typeof details.occupiedByCarId === 'string'
    ? details.occupiedByCarId
    : undefined;
}

async function stepsLeft(
  stored: StoredEntry,
  plan: object | undefined,
): Promise<Pick<Preview, 'sends' | 'asks'>> {
  const { entry, lines } = stored;
  const { requests } = await journaledOf(entry.command);
  const states = new Map(stepsOf(stored).map(({ step, state }) => [step, state]));
  const steps = [
    ...(plan ? requests(plan) : states.keys()),
    ...entry.files.map((_, index) => photoStep(index)),
  ];
  const left = [...new Set(steps)].filter((step) => states.get(step) !== 'done');
  return { sends: left, asks: left.filter((step) => lines.get(step)?.state === 'sent') };
}
