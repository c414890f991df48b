/** Tells what became of each file: in columns why one failed is a text, as it is of any record that failed. */
import type { Output } from './output.ts';
import type { Row, View } from './view.ts';

interface Outcomes {
  readonly view: View;
  readonly outcomes: readonly Row[];
  /** For a person, one of each outcome. */
  readonly lines: readonly string[];
}

export function showOutcomes(output: Output, { view, outcomes, lines }: Outcomes): Promise<void> {
  const inColumns = output.format === 'csv' || output.format === 'tsv';
  return inColumns ? output.list({ view, records: outcomes, failures: true }) : output.value(outcomes, lines);
}
