/** A QR code for a terminal: two rows of modules per line. */
import { encode } from 'uqr';

/** Black on white in exact colours, also in a dark terminal: cameras don't read an inverted code. */
const blackOnWhite = '\u001b[38;5;16;48;5;231m';
const reset = '\u001b[0m';

/** The blocks alone, without colours. */
export function codeBlocks(url: string): string[] {
  const { data } = encode(url, { ecc: 'L', border: 2 });
  const blockOf = (upper: boolean | undefined, lower: boolean | undefined) =>
    upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ';
  return Array.from({ length: Math.ceil(data.length / 2) }, (_, line) => {
    const [upper = [], lower = []] = [data[line * 2], data[line * 2 + 1]];
    return upper.map((isDark, column) => blockOf(isDark, lower[column])).join('');
  });
}

export const codeLines = (url: string): string[] =>
  codeBlocks(url).map((blocks) => `${blackOnWhite}${blocks}${reset}`);
