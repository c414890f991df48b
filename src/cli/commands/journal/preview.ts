/** What finishing an entry would send, and the conflicts that it would meet now. Sends nothing. */

import type { Context } from '../../framework/context.ts';
import { isObject } from '../../input/plain-object.ts';
import { resolveRecord } from '../../lookup/lookup.ts';
import { photoStep, stepsOf } from './describe.ts';
import { type StoredEntry, typedFlags } from './entry.ts';
import { journaledOf } from './resume.ts';

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

/** In the order of the entries. What an entry meets because one before it isn't sent yet is no conflict. */
export async function previewEntries(context: Context, entries: readonly StoredEntry[]): Promise<Preview[]> {
  const entryOfCar = new Map<string, string>();
  const previews: Preview[] = [];
  for (const stored of entries) {
    const { plan, carId, conflict } = await look(context, stored);
    const inTheWay = [carId, occupantIn(conflict)].map((id) => (id === undefined ? undefined : entryOfCar.get(id)));
    const after = inTheWay.find((id) => id !== undefined) ?? null;
    previews.push({ ...(await stepsLeft(stored, plan)), after, conflict: after === null ? conflict : undefined });
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

/** A queued entry is looked up, as its command would do in a script. */
async function look(context: Context, { entry }: StoredEntry): Promise<Looked> {
  const typed = typedFlags(entry);
  if (!typed) return { plan: entry.plan as object, carId: carIdIn(entry.plan) };
  const { planQueued } = await journaledOf(entry.command);
  try {
    const plan = await planQueued?.({ ...context, interactive: false }, typed);
    return { plan, carId: carIdIn(plan) };
  } catch (conflict) {
    const car = await resolveRecord(context, { resource: 'cars', text: String(typed.car) }).catch(() => undefined);
    return { carId: car?.id, conflict };
  }
}

/** Undefined for a car that isn't stored yet. */
function carIdIn(plan: unknown): string | undefined {
  if (!isObject(plan)) return undefined;
  const id = isObject(plan.car) ? plan.car.id : plan.carId;
  return typeof id === 'string' ? id : undefined;
}

/** The car in the spot that was refused. */
function occupantIn(conflict: unknown): string | undefined {
  const details = conflict instanceof Error && 'details' in conflict ? conflict.details : undefined;
  return isObject(details) && typeof details.occupiedByCarId === 'string' ? details.occupiedByCarId : undefined;
}

async function stepsLeft(stored: StoredEntry, plan: object | undefined): Promise<Pick<Preview, 'sends' | 'asks'>> {
  const { entry, lines } = stored;
  const { requests } = await journaledOf(entry.command);
  const states = new Map(stepsOf(stored).map(({ step, state }) => [step, state]));
  const steps = [...(plan ? requests(plan) : states.keys()), ...entry.files.map((_, index) => photoStep(index))];
  const left = [...new Set(steps)].filter((step) => states.get(step) !== 'done');
  return { sends: left, asks: left.filter((step) => lines.get(step)?.state === 'sent') };
}
