/** A command line as bash hands it over: its words, and how the last one is quoted. */

export interface ShellLine {
  /** The words after the command, unquoted; the last is the one at the cursor, perhaps empty. */
  readonly words: readonly string[];
  /** The last word as it was typed. */
  readonly raw: string;
  /** The quote that is still open in it. */
  readonly quote: '' | "'" | '"';
}

/** Reads words as a POSIX shell splits them; the text ends at the cursor. Variables and the like stay as they are typed. */
export function readShellLine(text: string): ShellLine {
  const words: string[] = [];
  let word = '';
  let start = 0;
  let began = false;
  let quote: ShellLine['quote'] = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (quote === '' && /\s/.test(sign)) {
      if (began) words.push(word);
      word = '';
      began = false;
      start = at + 1;
      continue;
    }
    began = true;
    if (sign === quote) quote = '';
    else if (quote === '' && (sign === "'" || sign === '"')) quote = sign;
    else if (sign === '\\' && quote !== "'" && (quote === '' || /["\\$`]/.test(text[at + 1] ?? ''))) {
      at += 1;
      word += text[at] ?? '';
    } else word += sign;
  }
  // The first word is the command itself, behind what is set for it alone: `CS_PROFILE=x cs …`.
  const command = words.findIndex((one) => !/^\w+=/.test(one));
  return { words: [...(command < 0 ? [] : words.slice(command + 1)), word], raw: text.slice(start), quote };
}

/**
 * What readline is to put in place of the part of the word that it replaces: all of it within an open quote, otherwise what follows
 * the last of the characters at which it breaks words, such as the colon.
 */
export function insertion(value: string, { raw, quote }: Pick<ShellLine, 'raw' | 'quote'>, breaks: string): string {
  if (quote === "'") return value.replaceAll("'", `'\\''`);
  if (quote === '"') return value.replace(/["\\$`]/g, '\\$&');
  const kept = raw.slice(0, endOfLastBreak(raw, breaks));
  const covered = readShellLine(kept).words.at(-1)?.length ?? 0;
  return value.slice(covered).replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
}

function endOfLastBreak(raw: string, breaks: string): number {
  let end = 0;
  for (let at = 0; at < raw.length; at += 1) {
    if (raw[at] === '\\') at += 1;
    else if (!/[\s'"]/.test(raw[at] as string) && breaks.includes(raw[at] as string)) end = at + 1;
  }
  return end;
}
