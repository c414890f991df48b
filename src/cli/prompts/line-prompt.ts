/** The prompt for a line of text. Keys edit it while an answer is checked too. */
import {
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import type { promptTheme } from './run.ts';

interface LineConfig {
  readonly message: string;
  readonly theme: ReturnType<typeof promptTheme>;
  /** Stands there while the line is empty. */
  readonly placeholder: string;
  /** What the line starts with. */
  readonly start: string;
  /** What is wrong with it. */
  readonly wrong: string | undefined;
  readonly onType: (typed: string) => void;
  readonly onSuspend: () => void;
  /** Returns what is wrong with the text. */
  readonly check: (text: string) => string | undefined | Promise<string | undefined>;
  /** Returns the text that Tab appends to the line. */
  readonly complete?: ((typed: string) => Promise<string>) | undefined;
}

interface State {
  readonly typed: string;
  readonly isChecking: boolean;
  readonly error: string | undefined;
}

export const linePrompt = createPrompt<string, LineConfig>((config, done) => {
  const { message, theme, placeholder, start, wrong, onType, check, complete } = config;
  const [{ typed, isChecking, error }, setState] = useState<State>({
    typed: start,
    isChecking: false,
    error: wrong,
  });
  const prefix = usePrefix({ status: isChecking ? 'loading' : 'idle', theme: makeTheme(theme) });
  // One drawing for each change, so that what is on the screen is what the next key finds.
  const change = (changed: Partial<State>) => setState((state) => ({ ...state, ...changed }));

  useEffect((line) => {
    line.on('SIGTSTP', config.onSuspend);
    line.write(start);
    change({ typed: line.line });
  }, []);

  useEffect(() => onType(typed), [typed]);

  useKeypress(async (key, line) => {
    if (isEnterKey(key)) {
      // Enter has emptied the line.
      line.write(typed);
      if (isChecking) return;
      change({ isChecking: true });
      const wrong = await check(typed);
      if (wrong === undefined) done(typed);
      else change({ typed: line.line, isChecking: false, error: wrong });
    } else if (isTabKey(key)) {
      // Tab is a character.
      replaceLine(line, typed);
      if (!complete) return;
      line.write(await complete(typed));
      change({ typed: line.line, error: undefined });
    } else change({ typed: line.line, error: undefined });
  });

  const shown = typed || theme.style.disabled(placeholder);
  return [
    `${prefix} ${theme.style.message(message, 'idle')} ${shown}`,
    error === undefined ? '' : theme.style.error(error),
  ];
});

/** The line of a prompt, which the keys edit before the prompt sees them. */
export interface Line {
  readonly line: string;
  clearLine(direction: 0): void;
  write(text: string): void;
}

export function replaceLine(line: Line, text: string): void {
  line.clearLine(0);
  line.write(text);
}
