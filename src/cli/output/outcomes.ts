/** Prints the result for each file; in columns the error is a text, as for failed records. */
import { hasFieldColumns } from './formats.ts';
import type { Output } from './output.ts';
import type { Row, View } from './view.ts';

interface Outcomes {
  readonly view: View;
  readonly outcomes: readonly Row[];
  /** Lines for a person, one per result. */
  readonly lines: readonly string[];
}

export function showOutcomes(output: Output, { view, outcomes, lines }: Outcomes): Promise<void> {
  return hasFieldColumns(output.format)
    ? output.list({ view, records: outcomes, failures: true })
    : output.value(outcomes, lines);
}
