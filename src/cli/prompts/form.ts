/**
 * Questions that can be corrected: a step back to an earlier one, and changes before what they
 * answer is stored.
 */

import type { Context, Entered } from '../context.ts';
import { declined } from '../errors/exit.ts';
import { keepTypedAhead } from '../terminal/keyboard.ts';
import { askYesOrNo } from './confirm.ts';
import { formScreen } from './form-screen.ts';
import { askOption } from './prompts.ts';
import { WentBack } from './run.ts';
import { isSameAnswer } from './same-answer.ts';

export interface Asked<A extends object, K extends keyof A> {
  /** Of the questions before. */
  readonly answers: Partial<A>;
  /** The answer to correct. */
  readonly earlier: A[K] | undefined;
  /** Whether it was answered before, perhaps with nothing. */
  readonly isCorrection: boolean;
}

interface QuestionOf<A extends object, K extends keyof A> {
  /** Of its answer. */
  readonly name: K;
  /** What people call it, where they choose what to change. Several questions may share one. */
  readonly part: string;
  /** Whether it is asked, with the answers before it (default: yes). */
  readonly applies?: (answers: Partial<A>) => boolean;
  /** Whether its answer goes with the others (default: yes). Otherwise it is asked again. */
  readonly fits?: (answers: Partial<A>) => boolean;
  /** Whether it is among what can be changed, with all answers (default: yes). */
  readonly isOffered?: (answers: Partial<A>) => boolean;
  /**
   * The answer that nobody needs to be asked for. It can be changed afterwards. Undefined where it
   * must be asked for.
   */
  readonly preset?: (answers: Partial<A>) => { readonly answer: A[K] } | undefined;
  /** It is asked again after another answer to one of these. */
  readonly dependsOn?: readonly (keyof A)[];
  readonly ask: (context: Context, asked: Asked<A, K>) => Promise<A[K]>;
}

export type Question<A extends object> = { [K in keyof A]-?: QuestionOf<A, K> }[keyof A];

interface Review<A extends object> {
  /** The answers, shown above the question. */
  readonly summary: (answers: A) => string | Promise<string>;
  /** `Store this drop-off?` */
  readonly question: string;
}

interface Failed<A> {
  readonly answers: Partial<A>;
  /** Whether an answer was given before it. */
  readonly prompted: boolean;
}

export interface Form<A extends object> {
  readonly questions: readonly Question<A>[];
  /** Answers that flags gave: they aren't asked for. Undefined is none. */
  readonly given: { readonly [K in keyof A]?: A[K] | undefined };
  /** Answers of an earlier try to start from, of which the wrong ones are asked again. */
  readonly correcting?:
    | {
        readonly answers: Partial<A>;
        readonly wrong: readonly (keyof A)[];
        readonly isPartStored?: boolean;
      }
    | undefined;
  /** The error for a step back from the first question (default: that leads nowhere). */
  readonly back?: Error | undefined;
  /** Asked once everything is answered (default: nothing). */
  readonly review?: Review<A> | undefined;
  /** An error of a question: returns to ask it again, or throws. */
  readonly recover?: (error: unknown, failed: Failed<A>) => Promise<void>;
}

/** Corrections that began at the summary. */
interface Change<A extends object> {
  /** A step back from its first question restores the answers and the screen before it. */
  readonly before: Partial<A>;
  readonly restoreScreen: () => void;
  readonly asked: Set<Question<A>>;
}

/**
 * Asks what isn't given, in order, then for the approval of all answers. Throws what leaves a
 * prompt, `declined` (exit 13) where the person leaves, and what `recover` throws.
 */
export const askForm = <A extends object>(context: Context, form: Form<A>): Promise<A> =>
  keepTypedAhead(context, () => fillForm(context, form));

async function fillForm<A extends object>(context: Context, form: Form<A>): Promise<A> {
  const { questions, review } = form;
  const given = Object.fromEntries(
    Object.entries(form.given).filter(([, answer]) => answer !== undefined),
  ) as Partial<A>;
  let answers: Partial<A> = { ...given, ...form.correcting?.answers };
  const screen = formScreen<Question<A> | 'review'>(context, (part) =>
    part === 'review' ? questions.length : questions.indexOf(part),
  );
  const entered = new Map<Question<A>, Map<string, Entered>>();
  /** Questions that were on the screen. */
  const shown = new Set<Question<A>>();
  /** Questions whose answers are to be corrected. */
  const again = new Set(questions.filter(({ name }) => form.correcting?.wrong.includes(name)));
  const back = form.correcting ? undefined : form.back;
  let change: Change<A> | undefined;

  await fill();
  while (review && !(await isApproved(review))) await fill();
  return answers as A;

  async function fill(): Promise<void> {
    for (let at = 0; at < questions.length; ) {
      const question = questions[at] as Question<A>;
      if (question.applies?.(answers) === false) {
        delete answers[question.name];
        again.delete(question);
        // Such as the car of an appointment that became a task.
        screen.remove((part) => part === question);
      } else if (isOpen(question) && !(await answer(question, at))) {
        at = goBack(at);
        continue;
      }
      at += 1;
    }
    change = undefined;
  }

  function isOpen(question: Question<A>): boolean {
    return again.has(question) || !(question.name in answers) || question.fits?.(answers) === false;
  }

  /** Returns false where the person went back. */
  async function answer(question: Question<A>, at: number): Promise<boolean> {
    const { name } = question;
    const preset = again.has(question) ? undefined : question.preset?.(answers);
    if (preset) {
      keep(question, preset.answer);
      return true;
    }
    screen.remove((part) => part === question);
    const isCorrection = again.has(question);
    const asking = askingOf(question, canGoBack(at));
    try {
      const answered = await question.ask(contextOf(asking), {
        answers,
        earlier: answers[name],
        isCorrection,
      } as never);
      if (asking.prompted) {
        shown.add(question);
        change?.asked.add(question);
      }
      keep(question, answered as A[keyof A]);
      return true;
    } catch (error) {
      if (error instanceof WentBack) return false;
      if (!form.recover) throw error;
      await form.recover(error, { answers, prompted: asking.prompted });
      screen.interrupted();
      return answer(question, at);
    }
  }

  function askingOf(part: Question<A> | 'review', canGoBack: boolean) {
    const known =
      part === 'review'
        ? new Map<string, Entered>()
        : (entered.get(part) ?? new Map<string, Entered>());
    if (part !== 'review') entered.set(part, known);
    return {
      canGoBack,
      prompted: false,
      entered: known,
      print: (text: string) => screen.print(part, text),
      erase: () => screen.remove((one) => one === part),
    };
  }

  function contextOf(asking: NonNullable<Context['asking']>): Context {
    const telling = (tell: (text: string) => void) => (text: string) => {
      tell(text);
      screen.interrupted();
    };
    return { ...context, asking, note: telling(context.note), warn: telling(context.warn) };
  }

  function keep(question: Question<A>, answered: A[keyof A]): void {
    const { name } = question;
    again.delete(question);
    const isSame = name in answers && isSameAnswer(answers[name], answered);
    answers[name] = answered;
    if (!isSame) for (const other of questions) if (other.dependsOn?.includes(name)) drop(other);
  }

  function drop(question: Question<A>): void {
    if (question.name in given) return;
    delete answers[question.name];
    again.delete(question);
    entered.delete(question);
    screen.remove((part) => part === question);
  }

  function canGoBack(at: number): boolean {
    return change !== undefined || lastShown(at) !== undefined || back !== undefined;
  }

  /** The last question before this one that a step back leads to. */
  function lastShown(at: number): Question<A> | undefined {
    const earlier = change?.asked ?? shown;
    return questions
      .slice(0, at)
      .findLast((one) => earlier.has(one) && one.applies?.(answers) !== false);
  }

  /**
   * The place of the question before, which is asked again; without one, the end: changes are
   * dropped, or the person leaves.
   */
  function goBack(at: number): number {
    const question = lastShown(at);
    screen.remove((part) => part === questions[at] || part === question);
    if (question) {
      again.add(question);
      return questions.indexOf(question);
    }
    if (!change) throw back ?? declined('Nothing was stored.');
    answers = change.before;
    change.restoreScreen();
    again.clear();
    return questions.length;
  }

  /** Otherwise what is to be changed is asked again. */
  async function isApproved({ summary, question }: Review<A>): Promise<boolean> {
    const message = context.writes.questionFor(question);
    screen.print('review', await summary(answers as A));
    const asking = askingOf('review', canGoBack(questions.length));
    try {
      // Who writes to a production profile says so.
      if (!(await askYesOrNo(contextOf(asking), message, message === question))) {
        await askChange();
        return false;
      }
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
      screen.remove((part) => part === 'review');
      goBack(questions.length);
      return false;
    }
    context.writes.approve();
    return true;
  }

  async function askChange(): Promise<void> {
    const applying = questions.filter(({ applies }) => applies?.(answers) !== false);
    const parts = [
      ...new Set(
        applying.filter(({ isOffered }) => isOffered?.(answers) !== false).map(({ part }) => part),
      ),
    ];
    if (parts.length === 0) throw declined('Nothing was stored.');
    type Next = { readonly part: string } | 'all' | 'leave';
    const next = await askOption<Next>(contextOf(askingOf('review', true)), {
      label: 'What would you like to change?',
      options: [
        ...parts.map((part) => ({ name: part, value: { part } })),
        { name: 'Start over', value: 'all' },
        { name: 'Leave without storing', short: 'Leave', value: 'leave' },
      ],
    }).catch((error: unknown) => {
      // Back to the summary.
      if (error instanceof WentBack) return undefined;
      throw error;
    });
    if (next === 'leave')
      throw declined(
        form.correcting?.isPartStored ? 'Nothing else was stored.' : 'Nothing was stored.',
      );
    screen.remove((part) => part === 'review');
    if (next === 'all') startOver();
    else if (next) changeThese(applying.filter(({ part }) => part === next.part));
  }

  function changeThese(wrong: readonly Question<A>[]): void {
    change = { before: { ...answers }, restoreScreen: screen.save(), asked: new Set() };
    for (const question of wrong) again.add(question);
    screen.remove((part) => part !== 'review' && again.has(part));
  }

  function startOver(): void {
    answers = { ...given };
    shown.clear();
    entered.clear();
    screen.remove(() => true);
  }
}
