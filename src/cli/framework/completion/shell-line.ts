/** Parses a command line from bash: its words and the quoting of the last one. */

export interface ShellLine {
  /** The words after the command, unquoted; the last is the one at the cursor, perhaps empty. */
  readonly words: readonly string[];
  /** The last word as typed. */
  readonly raw: string;
  /** The open quote in it, if any. */
  readonly quote: '' | "'" | '"';
}

/** Splits words like a POSIX shell; the text ends at the cursor. Variables aren't expanded. */
export function readShellLine(text: string): ShellLine {
  const words: string[] = [];
  let word = '';
  let start = 0;
  let inWord = false;
  let quote: ShellLine['quote'] = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote === '' && /\s/.test(char)) {
      if (inWord) words.push(word);
      word = '';
      inWord = false;
      start = at + 1;
      continue;
    }
    inWord = true;
    if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (
      char === '\\' &&
      quote !== "'" &&
      (quote === '' || /["\\$`]/.test(text[at + 1] ?? ''))
    ) {
      at += 1;
      word += text[at] ?? '';
    } else word += char;
  }
  // The command may follow assignments: `CS_PROFILE=x cs …`.
  const command = words.findIndex((one) => !/^\w+=/.test(one));
  return {
    words: [...(command < 0 ? [] : words.slice(command + 1)), word],
    raw: text.slice(start),
    quote,
  };
}

/**
 * The text that readline inserts. Within an open quote it replaces the whole word, otherwise the
 * part after the last word break character, such as a colon.
 */
export function insertText(
  value: string,
  { raw, quote }: Pick<ShellLine, 'raw' | 'quote'>,
  breaks: string,
): string {
  if (quote === "'") return value.replaceAll("'", `'\\''`);
  if (quote === '"') return value.replace(/["\\$`]/g, '\\$&');
  const head = raw.slice(0, endOfLastBreak(raw, breaks));
  const covered = readShellLine(head).words.at(-1)?.length ?? 0;
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
