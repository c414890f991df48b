/** Tells what a run collected besides its result. */
import type { Context } from '../context.ts';
import type { Note } from '../terminal/run.ts';
import { joinList } from '../terminal/text.ts';

/**
 * Once, with a sentence for each kind. `succeeded`: a failed command tells only what became of its
 * writes.
 */
export function tellNotes({ io: { run }, note, warn }: Context, succeeded: boolean): void {
  const sentencesOf = (kind: Note['kind']) => [
    ...new Set(run.notes.filter((one) => one.kind === kind).map(({ about }) => about)),
  ];
  const [sentences, replayed, fields] = [
    sentencesOf('unchecked'),
    sentencesOf('replayed'),
    sentencesOf('not_shown'),
  ];
  run.notes = [];
  if (succeeded) for (const text of sentences) note(text);
  if (replayed.length > 0) warn(replayNote(replayed));
  if (fields.length > 0) warn(notShownWarning(fields));
}

function replayNote([first, ...more]: readonly string[]): string {
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return `Already done with the same idempotency key: ${first}${others}, shown as stored then. Nothing new was stored.`;
}

function notShownWarning(fields: readonly string[]): string {
  const they = fields.length === 1 ? 'it' : 'them';
  const were = fields.length === 1 ? 'it was' : 'they were';
  return `The server's answer doesn't show ${joinList(fields)}, or shows ${they} otherwise than sent: check whether ${were} stored.`;
}
