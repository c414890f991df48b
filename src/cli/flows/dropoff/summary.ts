/** What will be stored, to be confirmed. */
import type { Context } from '../../command.ts';
import type { PhotoOptions } from '../../photos/prepare.ts';
import { sanitizeLines } from '../../text.ts';
import { labelWidth } from '../prompts.ts';
import { photoSummary } from './photo-lines.ts';
import { type DropoffPlan, describeCar, describeEvent, describePlace, isNew } from './plan.ts';

/** Lines of label and value, the values in one column; empty values are left out. */
export function labelled(
  { paint }: Pick<Context, 'paint'>,
  lines: readonly (readonly [label: string, value: string | null | undefined])[],
): string {
  return lines
    .filter(([, value]) => value)
    .map(([label, value]) => {
      // Notes may have several lines; they stand under the first.
      const shown = sanitizeLines(value as string).replaceAll('\n', `\n  ${' '.repeat(labelWidth + 1)}`);
      return `  ${paint.dim(label.padEnd(labelWidth))} ${shown}\n`;
    })
    .join('');
}

export function planSummary(context: Context, plan: DropoffPlan, options: PhotoOptions): string {
  const { car, place } = plan;
  const moving = !isNew(car) && car.status === 'stored' && place ? context.paint.careful('  The car is stored already: it moves.\n') : '';
  return `\n${labelled(context, [
    ['Car', isNew(car) ? `${describeCar(car.values)} (new)` : describeCar(car)],
    ['Owner', isNew(car) ? car.owner : undefined],
    ['Event', describeEvent(plan)],
    ['Place', place && describePlace(place)],
    ['Notes', plan.notes],
    ['Photos', photoSummary(plan.photos, options)],
  ])}${moving}\n`;
}
