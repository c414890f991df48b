/** The parts of a help topic, as data for the terminal, the manual and the reference. */
import { breakWords, twoColumns } from '../../../terminal/text.ts';

export type Part =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [term: string, words: string])[] }
  /** Commands, which are never wrapped. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

/** A text is a paragraph. */
type Given = string | Part | readonly Part[];

export const page = (...parts: readonly Given[]): Part[] =>
  parts.flatMap((part) =>
    typeof part === 'string' ? { kind: 'words' as const, text: part } : part,
  );
export const section = (text: string, ...parts: readonly Given[]): Part[] => [
  { kind: 'title', text },
  ...page(...parts),
];
export const rows = (entries: readonly (readonly [term: string, words: string])[]): Part => ({
  kind: 'rows',
  rows: entries,
});
export const lines = (...commands: readonly string[]): Part => ({ kind: 'lines', lines: commands });

/** For a terminal. */
export function renderPage(parts: readonly Part[], width: number): string {
  const wrapped = (text: string, room: number) => breakWords(text, room).split('\n');
  const linesOf = (part: Part, index: number): readonly string[] => {
    if (part.kind === 'title') return index === 0 ? [part.text] : ['', part.text];
    if (part.kind === 'lines') return part.lines.map((line) => `    ${line}`);
    if (part.kind === 'words') return wrapped(part.text, width);
    return twoColumns(
      part.rows.map(([term, words]) => [term, (room) => wrapped(words, room)]),
      width,
    );
  };
  return `${parts.flatMap(linesOf).join('\n')}\n`;
}
