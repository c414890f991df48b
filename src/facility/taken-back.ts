/** Events that `cs undo` took back. Their records stay; the notes of a second event name them. */
import { isSameId } from '../client/ids.ts';

/** How the notes of an event begin that takes another one back. Its id is their last word. */
export const takesBack = 'Takes back the';

interface Noted {
  readonly notes?: string | null | undefined;
}
export const isTakingBack = ({ notes }: Noted): boolean => notes?.startsWith(takesBack) === true;

/** Without the events that were taken back, and those that did it. */
export function withoutTakenBack<E extends Noted & { readonly id: string }>(
  events: readonly E[],
): E[] {
  const named = events.filter(isTakingBack).map(({ notes }) => notes?.split(' ').at(-1));
  return events.filter(
    (event) => !isTakingBack(event) && !named.some((id) => id && isSameId(id, event.id)),
  );
}
