/** What an import would send. */

import type { Context } from '../../context.ts';
import { plannedValue, requestText } from '../../output/request.ts';
import type { Row } from '../../output/view.ts';
import { planned } from '../../resources/operation.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import type { Job } from './job.ts';
import { rowView } from './report.ts';
import type { ReadRow } from './send-rows.ts';
import type { UpsertRow } from './upsert.ts';

const previewLines = 3;

/** Without the server, a dry run can't know whether the record exists. */
const previewed = ({ creating, changing }: UpsertRow): ReadRow['made'] =>
  'body' in creating || !('body' in changing)
    ? creating
    : { ...changing, ids: [...changing.ids, 'ID'] };

/** The planned requests; names aren't resolved to ids. */
export async function preview(
  { output, note }: Context,
  { rows, key }: Job,
  total: number,
): Promise<void> {
  if (key) note(`A row whose ${key.filter} a record has already updates that record instead.`);
  const requests = async function* () {
    for await (const { made } of rows()) {
      const request = 'key' in made ? previewed(made) : made;
      if ('body' in request) yield planned(request.operation, request.ids, request.body);
    }
  };
  if (!output.forPeople) {
    const records = async function* () {
      for await (const request of requests()) yield plannedValue(request) as Row;
    };
    return output.list({ view: rowView, records: records(), planned: true });
  }
  let text = '';
  let shown = 0;
  for await (const request of requests()) {
    text += requestText(request);
    shown += 1;
    if (shown === previewLines) break;
  }
  await output.styled([], text);
  if (total > shown) note(`and ${grouped(total - shown)} more; list all with -o ndjson`);
  note(`${pluralize(total, 'row is', 'rows are')} valid; nothing was sent.`);
}
