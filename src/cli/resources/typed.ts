/** The names that were typed for records: the next command is suggested in the same words, not by ids that nobody knows. */
import type { Io } from '../terminal/io.ts';

/** Only for a name that identifies the record by itself. */
export function rememberInput({ run }: Io, id: string, text: string): void {
  run.typedNames.set(id, text);
}

/** The id itself, where no name was typed. */
export const echoInput = ({ run }: Io, id: string): string => run.typedNames.get(id) ?? id;
