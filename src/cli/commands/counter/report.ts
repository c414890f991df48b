/** What became of an event and its photos, and what to type next. */

import type { CliError } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { localTime } from '../../input/when.ts';
import type { CarIdentity } from '../../lookup/car.ts';
import { labelled } from '../../output/labelled.ts';
import { labelWidth } from '../../prompts/run.ts';
import { sanitize } from '../../terminal/text.ts';
import { missingPhotos } from '../photos/missing.ts';
import { countStored, outcomeWords, type PhotoOutcome } from '../photos/outcome.ts';
import type { EventOptions, EventResult } from './perform.ts';

interface Told {
  /** What is true now: `HH-RS 73 stands on A3 · Hall A · Harbour`. */
  readonly headline: string;
  /** Lines of label and value that come first. */
  readonly facts?: readonly (readonly [label: string, value: string | null | undefined])[];
  /** Commands to type next. */
  readonly next: readonly string[];
}

/** Prints the result: all of it as JSON for a script, what matters for a person. */
export async function printResult(context: Context, result: EventResult, tell: () => Told): Promise<void> {
  const { output } = context;
  await output.painted(
    output.format === 'id' ? result.event : result,
    output.format === 'table' ? resultText(context, result, tell()) : '',
  );
}

function resultText(context: Context, { event, photos, sessionId }: EventResult, { headline, facts = [], next }: Told): string {
  const { paint } = context;
  const lines = labelled(context, [
    ...facts,
    ['When', localTime(event.occurredAt)],
    ['Notes', event.notes],
    ['Photos', countsOf(photos)],
    ['Event', event.id],
    ['Session', sessionId],
  ]);
  const special = photos
    .filter(({ error, sameAs }) => error || sameAs !== null)
    .map((photo) => `  ${photo.error ? paint.bad('✗') : paint.dim('=')} ${sanitize(`${photo.filename}  ${outcomeWords(photo)}`)}\n`);
  const title = `${paint.good('✓')} ${paint.title(sanitize(headline))}`;
  return `\n${[`${title}\n`, lines, special.join(''), nextLines(context, next)].filter(Boolean).join('\n')}`;
}

/** The commands to type next, one below the other. */
export const nextLines = ({ paint }: Pick<Context, 'paint'>, next: readonly string[]): string =>
  next.map((line, index) => `  ${paint.dim((index === 0 ? 'Next' : '').padEnd(labelWidth))} ${paint.command(sanitize(line))}\n`).join('');

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

/** To be thrown once the result is printed: what is missing and the command that sends it. Nothing when all is stored. */
export function failureOf(
  { io }: Context,
  { what, car, result }: { what: string; car: CarIdentity; result: EventResult },
  options: EventOptions,
): CliError | undefined {
  const { photos, sessionId } = result;
  return missingPhotos(io, { photos, carId: car.id, sessionId, options, globalFlags: options.globalFlags, done: `The ${what} is stored` });
}
