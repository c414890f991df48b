/** What was typed for the records of this run: the next command is told in the same words, and not by an id that nobody knows. */

/** By the run, which is what its context and the telling of its failure have in common. */
const runs = new WeakMap<object, Map<string, string>>();

/** Only for a name that is enough by itself. */
export function rememberInput(io: object, id: string, text: string): void {
  const typed = runs.get(io) ?? new Map<string, string>();
  runs.set(io, typed.set(id, text));
}

/** The id, where it was typed itself or found in another way. */
export const echoInput = (io: object, id: string): string => runs.get(io)?.get(id) ?? id;
