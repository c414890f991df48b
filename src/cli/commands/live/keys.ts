/** The keys of the live view, from the bytes that a terminal sends. */

export type KeyName =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'clear'
  | 'ctrlC';
export type Key =
  | { readonly name: KeyName }
  | { readonly character: string }
  | { readonly pasted: string };

const esc = '\u001b';
const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;
const markers = new RegExp(`(${esc}\\[20[01]~)`);
/** Each key is an escape sequence or a character. */
const sequences = new RegExp(`${esc}[[O][0-9;]*[A-Za-z~]|[^]`, 'gu');

const names: Readonly<Record<string, KeyName>> = {
  [`${esc}[A`]: 'up',
  [`${esc}OA`]: 'up',
  [`${esc}[D`]: 'up',
  [`${esc}OD`]: 'up',
  [`${esc}[B`]: 'down',
  [`${esc}OB`]: 'down',
  [`${esc}[C`]: 'down',
  [`${esc}OC`]: 'down',
  [`${esc}[5~`]: 'pageUp',
  [`${esc}[6~`]: 'pageDown',
  '\r': 'enter',
  '\n': 'enter',
  [esc]: 'escape',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0015': 'clear',
  '\u0003': 'ctrlC',
};

const printable = /^[^\p{Cc}\p{Cs}]$/u;

/** Asks the terminal to mark what is pasted, so that its letters aren't taken for keys. */
export const markPastes = `${esc}[?2004h`;
export const leavePastes = `${esc}[?2004l`;

/** Reads the keys of each chunk. A paste may take several chunks. */
export function createKeyReader(): (chunk: Uint8Array | string) => Key[] {
  const decoder = new TextDecoder();
  let pasting = false;
  return (chunk) => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    return text.split(markers).flatMap((part): Key[] => {
      if (part === pasteStart || part === pasteEnd) {
        pasting = part === pasteStart;
        return [];
      }
      if (pasting) return part === '' ? [] : [{ pasted: part }];
      return (part.match(sequences) ?? []).flatMap((sequence): Key[] => {
        const name = names[sequence];
        if (name) return [{ name }];
        return printable.test(sequence) ? [{ character: sequence }] : [];
      });
    });
  };
}
