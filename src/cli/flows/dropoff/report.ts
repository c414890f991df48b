/** What became of a drop-off, and what to type next. */
import type { Context } from '../../command.ts';
import type { CliError } from '../../exit.ts';
import { nextCommand } from '../../next-command.ts';
import { missingPhotos } from '../../photos/missing.ts';
import { countStored, outcomeWords, type PhotoOutcome } from '../../photos/outcome.ts';
import { sanitize } from '../../text.ts';
import { localTime } from '../../when.ts';
import { labelWidth } from '../prompts.ts';
import type { DropoffOptions, DropoffResult } from './perform.ts';
import { type DropoffPlan, describeCar, describePlace, handleOf } from './plan.ts';
import { labelled } from './summary.ts';

/** Prints the result: all of it as JSON for a script, what matters for a person. */
export async function printResult(context: Context, plan: DropoffPlan, result: DropoffResult, options: DropoffOptions): Promise<void> {
  const { output } = context;
  await output.painted(
    output.format === 'id' ? result.event : result,
    output.format === 'table' ? resultText(context, plan, result, options) : '',
  );
}

function resultText(context: Context, plan: DropoffPlan, result: DropoffResult, { globalFlags }: DropoffOptions): string {
  const { paint } = context;
  const { car, event, photos } = result;
  const next = [
    nextCommand(['cars', 'events', 'list', handleOf(car)], globalFlags),
    ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', handleOf(car)], globalFlags)] : []),
  ];
  const facts = labelled(context, [
    ['When', localTime(event.occurredAt)],
    ['Notes', event.notes],
    ['Photos', countsOf(photos)],
    ['Event', event.id],
    ['Session', result.sessionId],
  ]);
  const nextLines = next.map(
    (line, index) => `  ${paint.dim((index === 0 ? 'Next' : '').padEnd(labelWidth))} ${paint.command(sanitize(line))}\n`,
  );
  const special = photos
    .filter(({ error, sameAs }) => error || sameAs !== null)
    .map((photo) => `  ${photo.error ? paint.bad('✗') : paint.dim('=')} ${sanitize(`${photo.filename}  ${outcomeWords(photo)}`)}\n`);
  const title = `${paint.good('✓')} ${paint.title(sanitize(headline(plan, car)))}`;
  return `\n${[`${title}\n`, facts, special.join(''), nextLines.join('')].filter(Boolean).join('\n')}`;
}

/** `2 stored`, `1 of 2 stored`, `1 of 3 stored, 1 not known`, `2 stored, 1 the same as another` */
function countsOf(photos: readonly PhotoOutcome[]): string | undefined {
  if (photos.length === 0) return undefined;
  const stored = countStored(photos);
  const unknown = photos.filter(({ error }) => error?.unknownOutcome).length;
  const copies = photos.filter(({ sameAs }) => sameAs !== null).length;
  const wanted = photos.length - copies;
  return [
    stored === wanted ? `${stored} stored` : `${stored} of ${wanted} stored`,
    ...(unknown > 0 ? [`${unknown} not known`] : []),
    ...(copies > 0 ? [`${copies} the same as ${copies === 1 ? 'another' : 'others'}`] : []),
  ].join(', ');
}

/** `HH-RS 73 stands on A3 · Hall A · Harbour` */
function headline({ place, eventType }: DropoffPlan, car: DropoffResult['car']): string {
  const name = handleOf({ ...car, id: describeCar(car) });
  if (!place) return `${eventType.name ?? eventType.value} logged for ${name}`;
  return `${name} stands ${place.kind === 'spot' ? 'on' : 'in'} ${describePlace(place)}`;
}

/** To be thrown once the result is printed: what is missing and the command that sends it. Nothing when all is stored. */
export function failureOf({ io }: Context, result: DropoffResult, options: DropoffOptions): CliError | undefined {
  const { photos, car, sessionId } = result;
  return missingPhotos(io, { photos, carId: car.id, sessionId, options, globalFlags: options.globalFlags, done: 'The drop-off is stored' });
}
