/** Keys that the prompts do not know what to do with, listened for beside them. */
import type { Context } from '../framework/context.ts';

/**
 * The search passes over an Enter that comes before its answer, as from people who know what they want and from scanners.
 * Here it is kept, and pressed again once the answer is there.
 */
export function listenForEnter({ io }: Context) {
  let looking = false;
  let pressed = false;
  const onKey = (_text: unknown, key: { name?: string } | undefined) => {
    pressed = looking && key?.name === 'return';
  };
  io.stdin.prependListener('keypress', onKey);
  return {
    looking: () => {
      looking = true;
    },
    found: (take: boolean) => {
      looking = false;
      if (pressed && take) setImmediate(() => io.stdin.emit('keypress', '\r', { name: 'return', sequence: '\r' }));
      pressed = false;
    },
    end: () => void io.stdin.off('keypress', onKey),
  };
}

/** The line of text takes a Tab as a character; here it is taken back, and what it stands for is typed. */
export function listenForTab({ io }: Context, complete: ((line: string) => Promise<string>) | undefined) {
  let line = '';
  const press = (name: string, text = '') => io.stdin.emit('keypress', text, { name, sequence: text });
  const onKey = (_text: unknown, key: { name?: string } | undefined) => {
    if (key?.name !== 'tab' || !complete) return;
    setImmediate(async () => {
      if (line.endsWith('\t')) press('backspace');
      for (const character of await complete(line)) press('', character);
    });
  };
  io.stdin.on('keypress', onKey);
  return {
    line: (text: string) => {
      line = text;
    },
    end: () => void io.stdin.off('keypress', onKey),
  };
}
