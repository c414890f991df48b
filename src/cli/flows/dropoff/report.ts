/** What became of a drop-off, and what to type next. */
import { relative } from 'node:path';
import type { Context } from '../../command.ts';
import { CliError, exitCodeOf } from '../../exit.ts';
import { counted, sanitize } from '../../text.ts';
import { localTime } from '../../when.ts';
import { labelWidth } from '../prompts.ts';
import { command } from './failures.ts';
import type { DropoffOptions, DropoffResult } from './perform.ts';
import type { PhotoOutcome } from './photo-outcome.ts';
import { type DropoffPlan, describeCar, describePlace, handleOf, type PhotoOptions } from './plan.ts';
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
  const stored = photos.filter(({ status }) => status === 'stored').length;
  const next = [
    command(['cars', 'events', 'list', handleOf(car)], globalFlags),
    ...(stored > 0 ? [command(['cars', 'photos', 'list', handleOf(car)], globalFlags)] : []),
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
  const failed = photos
    .filter(({ error }) => error)
    .map((photo) => `  ${paint.bad('✗')} ${sanitize(`${photo.filename}  ${whyOf(photo)}`)}\n`);
  const title = `${paint.good('✓')} ${paint.title(sanitize(headline(plan, car)))}`;
  return `\n${[`${title}\n`, facts, failed.join(''), nextLines.join('')].filter(Boolean).join('\n')}`;
}

/** `2 stored`, `1 of 2 stored`, `1 of 3 stored, 1 not known` */
function countsOf(photos: readonly PhotoOutcome[]): string | undefined {
  if (photos.length === 0) return undefined;
  const stored = photos.filter(({ status }) => status === 'stored').length;
  const unknown = photos.filter(({ error }) => error?.unknownOutcome).length;
  const counts = stored === photos.length ? `${stored} stored` : `${stored} of ${photos.length} stored`;
  return unknown > 0 ? `${counts}, ${unknown} not known` : counts;
}

function whyOf({ status, error }: PhotoOutcome): string {
  if (status === 'not_sent') return 'not sent';
  return error?.unknownOutcome ? `may be stored: ${error.message}` : (error?.message ?? '');
}

/** `HH-RS 73 stands on A3 · Hall A · Harbour` */
function headline({ place, eventType }: DropoffPlan, car: DropoffResult['car']): string {
  const name = handleOf({ ...car, id: describeCar(car) });
  if (!place) return `${eventType.name ?? eventType.value} logged for ${name}`;
  return `${name} stands ${place.kind === 'spot' ? 'on' : 'in'} ${describePlace(place)}`;
}

/** To be thrown once the result is printed: what is missing and the command that sends it. Nothing when all is stored. */
export function failureOf(context: Context, result: DropoffResult, options: DropoffOptions): CliError | undefined {
  const missing = result.photos.filter(({ status }) => status !== 'stored');
  if (missing.length === 0) return undefined;
  const { aborted, reason } = context.io.signal;
  const again = resendCommand(context, result, missing, options);
  const unknown = missing.filter(({ error }) => error?.unknownOutcome).length;
  const sure = missing.length - unknown;
  const total = counted(result.photos.length, 'photo', 'photos');
  const left = [sure > 0 && `${sure} of ${total} not stored`, unknown > 0 && `${unknown} of ${total} perhaps not stored`]
    .filter(Boolean)
    .join(', ');
  return new CliError({
    code: aborted ? 'interrupted' : 'partial',
    message: `${aborted ? 'Stopped. ' : ''}The drop-off is stored, ${left}${reasons(missing)}.`,
    hint: `send what is missing: \`${again}\``,
    details: { again },
    exitCode: aborted ? exitCodeOf(reason) : 11,
  });
}

/** Why, when one reason holds for all; the result tells each. */
function reasons(missing: readonly PhotoOutcome[]): string {
  const messages = new Set(missing.map(({ error }) => error?.message).filter((message) => message !== undefined && message !== 'Stopped.'));
  const [only] = messages;
  return messages.size === 1 && only !== undefined ? `: ${only.replace(/\.$/, '')}` : '';
}

/** Exactly what sends the rest. The same photo twice in a session is stored once, so it may also name one that came through. */
function resendCommand({ io }: Context, result: DropoffResult, missing: readonly PhotoOutcome[], options: DropoffOptions): string {
  const files = missing.map(({ file }) => shortest(io.cwd, file));
  return command(
    [
      'cars',
      'photos',
      'add',
      result.car.id,
      '--session',
      result.sessionId,
      ...photoFlags(options),
      ...(options.globalFlags ?? []),
      // A file whose name begins with a dash is no flag.
      ...(files.some((file) => file.startsWith('-')) ? ['--'] : []),
      ...files,
    ],
    [],
  );
}

function photoFlags({ keepLocation, resize }: PhotoOptions): string[] {
  return [...(keepLocation ? ['--keep-location'] : []), ...(resize === false ? ['--no-resize'] : [])];
}

function shortest(cwd: string, path: string): string {
  const below = relative(cwd, path);
  return below === '' || below.startsWith('..') ? path : below;
}

/** The global flags that a command typed next needs as well. */
export function globalFlagsOf({ settings }: Context): string[] {
  const given = (name: string, setting: { value: string; origin: string } | undefined) =>
    setting?.origin.startsWith('flag') ? [name, setting.value] : [];
  return [
    ...given('--profile', settings.profileName),
    ...given('--base-url', settings.baseUrl),
    ...(settings.caFile === undefined ? [] : ['--ca-file', settings.caFile]),
    ...(settings.allowInsecureHttp ? ['--allow-insecure-http'] : []),
  ];
}
