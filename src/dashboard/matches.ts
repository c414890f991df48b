/** How the dashboard searches what it has read: without case, spaces and dashes, as plates are typed. */

/** `HH-RS 73` as `hhrs73`. */
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

type Texts = string | null | undefined | readonly (string | null | undefined)[];

/** Whether a text holds all words that were typed; `whole` or `start`: is or starts with them. */
export function matches(
  typed: string,
  texts: Texts,
  { how }: { readonly how?: 'whole' | 'start' } = {},
): boolean {
  const all = [texts].flat().map((text) => plain(text ?? ''));
  const wanted = plain(typed);
  if (how === 'whole') return all.includes(wanted);
  if (how === 'start') return all.some((text) => text.startsWith(wanted));
  const words = typed.split(/\s+/).map(plain);
  return words.every((word) => all.some((text) => text.includes(word)));
}
