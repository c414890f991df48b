/** One warning about the fields that a run sent and that no answer shows as they were sent. */
import type { Io } from '../terminal/io.ts';
import { joinList } from '../terminal/text.ts';

/** Each field is mentioned once. */
export function untoldWarning({ run }: Io): string {
  const fields = [...run.untold];
  run.untold.clear();
  const they = fields.length === 1 ? 'it' : 'them';
  const were = fields.length === 1 ? 'it was' : 'they were';
  return `The server's answer doesn't show ${joinList(fields)}, or shows ${they} otherwise than sent: check whether ${were} stored.`;
}
