/** The range of a plot, cut into hours, days or weeks of a time zone. */
import { plotRowsLimit } from '../../../contract/dashboard/plots.ts';
import { invalidValue } from '../../problem.ts';
import type { Row } from '../../records.ts';
import { toUtc } from '../../values.ts';

export interface Spans {
  /** The start of each span, ascending, in UTC. */
  readonly starts: readonly string[];
  /** The end of the last span. */
  readonly end: string;
}

const dayMs = 24 * 60 * 60_000;

/** Throws `validation_failed` for an empty range, and for one of more than 400 spans. */
export async function spansOf(
  { from, to, step = 'day' }: Row,
  timezone: string,
  now: Date,
): Promise<Spans> {
  const last = to === undefined ? now.getTime() : Math.min(Date.parse(to as string), now.getTime());
  const first = from === undefined ? last - 30 * dayMs : Date.parse(from as string);
  if (first >= last)
    throw invalidValue(
      'from',
      'range',
      'must be before the end of the range, which is in the past',
    );
  const { Temporal } = await import('temporal-polyfill');
  const local = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timezone);
  const unit = step === 'hour' ? 'hour' : 'day';
  const rounded = local.round({ smallestUnit: unit, roundingMode: 'floor' });
  let at = step === 'week' ? rounded.subtract({ days: rounded.dayOfWeek - 1 }) : rounded;
  const starts: string[] = [];
  for (
    ;
    at.epochMilliseconds < last;
    at = at.add(step === 'week' ? { weeks: 1 } : { [`${unit}s`]: 1 })
  ) {
    if (starts.length === plotRowsLimit) {
      const message = `the range has more than ${plotRowsLimit} of them; choose a longer step or a shorter range`;
      throw invalidValue('step', 'too_many', message);
    }
    starts.push(toUtc(new Date(at.epochMilliseconds).toISOString()));
  }
  return { starts, end: new Date(at.epochMilliseconds).toISOString() };
}

/** The index of the span that a time is in; -1 before the first. */
export function spanAt({ starts }: Spans, time: string): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as string) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
