/** From a plan to its end: sends it while keys do nothing, prints what became of it, and fails when a photo is missing. */

import type { Client } from '../../../client/client.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import type { CarIdentity } from '../../lookup/car.ts';
import { handleCancel } from '../../prompts/run.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { type EventFlags, optionsOf } from './flags.ts';
import type { EventOptions, EventResult, EventStep } from './perform.ts';
import type { EventPlan } from './plan.ts';
import { showProgress } from './progress.ts';
import { failureOf } from './report.ts';

export interface Performance<P extends EventPlan> {
  readonly client: Client;
  readonly plan: P;
  readonly options: EventOptions;
  readonly progress: (step: EventStep) => void;
  readonly signal: AbortSignal;
}

interface Work<P extends EventPlan, R extends EventResult> {
  /** `drop-off` */
  readonly what: string;
  readonly plan: P;
  readonly perform: (performance: Performance<P>) => Promise<R>;
  readonly print: (plan: P, result: R, options: EventOptions) => Promise<void>;
  /** Another plan in place of one that failed, or the error again. */
  readonly another?: (plan: P, error: unknown) => Promise<P>;
}

export async function executePlan<P extends EventPlan, R extends EventResult & { car: CarIdentity }>(
  context: Context,
  flags: EventFlags,
  { what, plan, perform, print, another }: Work<P, R>,
): Promise<ExitCode | undefined> {
  const options = optionsOf(context, flags);
  const { signal } = context.io;
  const progress = showProgress(context, { what, photos: plan.photos, options });
  const client = await context.client();
  const attempt = async (given: P): Promise<[P, R]> => {
    try {
      return [given, await ignoreKeys(context, () => perform({ client, plan: given, options, progress, signal }).finally(progress.end))];
    } catch (error) {
      if (!another) throw error;
      return attempt(await another(given, error));
    }
  };
  const outcome = await handleCancel(context, async () => {
    // Asked now: while keys do nothing it could not be answered.
    await context.writes.permit();
    return attempt(plan);
  });
  if (typeof outcome === 'number') return outcome;
  const [performed, result] = outcome;
  await print(performed, result, options);
  const failure = failureOf(context, { what, car: result.car, result }, options);
  if (failure) throw failure;
  return undefined;
}
