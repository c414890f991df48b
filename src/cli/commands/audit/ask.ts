/** The questions of a stock-taking, on the terminal or on a phone that is carried about. */
import type { Context } from '../../context.ts';
import { withPhone } from '../../phone/questions.ts';
import { askYesOrNo } from '../../prompts/confirm.ts';
import { askLine } from '../../prompts/prompts.ts';
import { WentBack } from '../../prompts/run.ts';
import { keepTypedAhead } from '../../terminal/keyboard.ts';
import type { AreaFlags } from '../live/area.ts';
import { checkPhoneFlags, type PhoneFlags } from '../photos/flags.ts';

export interface Asker {
  /** '' for what is shown, `back`, or another text. At the end nothing is shown. */
  spot(label: string, shown: string | undefined): Promise<string>;
  isSo(question: string): Promise<boolean>;
  warn(text: string): void;
  /** What was noted, where a person at the terminal doesn't see it. */
  note(text: string): void;
}

export const back = '<';

export async function withAsker(
  context: Context,
  { phone, zone, location, ...flags }: AreaFlags & PhoneFlags,
  task: (asker: Asker) => Promise<void>,
): Promise<void> {
  if (!phone) return keepTypedAhead(context, () => task(onTerminal(context)));
  checkPhoneFlags(context, { phone });
  const title = zone ?? location ?? 'All spots';
  const atEnd = 'All spots are noted. The counter has the result; you can close this page.';
  await withPhone(context, { ...flags, title, atEnd }, (ask) => {
    let warning: string | undefined;
    const put = (question: Omit<Parameters<typeof ask>[0], 'note'>) => {
      const note = warning;
      warning = undefined;
      return ask({ ...question, note });
    };
    return task({
      spot: (label, shown) =>
        put({
          label,
          hint: shown,
          takesText: true,
          choices: {
            '': shown === undefined ? 'Compare' : 'Confirm',
            ...(shown !== undefined && shown !== 'empty' && { '-': 'Empty' }),
            [back]: 'Back',
          },
        }).then((text) => text.trim()),
      isSo: async (label) => (await put({ label, choices: { y: 'Yes', n: 'No' } })) === 'y',
      warn: (text) => {
        warning = text;
      },
      note: context.note,
    });
  });
}

function onTerminal(context: Context): Asker {
  function print(text: string): void {
    context.io.stderr.write(text);
  }
  context.note(
    'Enter confirms what is shown. Type or scan the plate of another car, - for an empty spot; Esc goes back. After Ctrl-C the same line goes on.',
  );
  return {
    spot: (label, shown) =>
      askLine(
        // What was typed for a spot that was left isn't there when it comes again.
        {
          ...context,
          asking: { canGoBack: true, prompted: false, entered: new Map(), print, erase() {} },
        },
        {
          label,
          hint: shown ?? 'Enter compares, Esc goes back',
          show: (text) => (text === '' ? (shown ?? 'compared') : text === '-' ? 'empty' : text),
        },
      ).catch((error: unknown) => {
        if (error instanceof WentBack) return back;
        throw error;
      }),
    isSo: (question) => askYesOrNo(context, question, false),
    warn: context.warn,
    note() {},
  };
}
