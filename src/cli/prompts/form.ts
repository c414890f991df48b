/** Questions that can be corrected: a step back to an earlier one, and changes before what they answer is stored. */
import { declined } from '../errors/exit.ts';
import type { Context } from '../framework/context.ts';
import { askYesOrNo } from './confirm.ts';
import { askOption } from './prompts.ts';
import { WentBack } from './run.ts';

interface Asked<A extends object, K extends keyof A> {
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
  /** Whether it is among what can be changed, with all answers (default: yes). */
  readonly isOffered?: (answers: Partial<A>) => boolean;
  /** The answer that nobody needs to be asked for. It can be changed afterwards. Undefined where it must be asked for. */
  readonly preset?: (answers: Partial<A>) => { readonly answer: A[K] } | undefined;
  /** It is asked again after another answer to one of these. */
  readonly dependsOn?: readonly (keyof A)[];
  readonly ask: (context: Context, asked: Asked<A, K>) => Promise<A[K]>;
}

export type Question<A extends object> = { [K in keyof A]-?: QuestionOf<A, K> }[keyof A];

interface Review<A> {
  /** The answers, shown above the question. */
  readonly summary: (answers: A) => string;
  /** `Store this drop-off?` */
  readonly question: string;
}

export interface Form<A extends object> {
  readonly questions: readonly Question<A>[];
  /** Answers that flags gave: they aren't asked for. */
  readonly given: Partial<A>;
  /** Answers to start from, of which `again` is asked. */
  readonly again?: keyof A;
  /** Asked once everything is answered (default: nothing). */
  readonly review?: Review<A> | undefined;
  /** An error of a question: returns to ask it again, or throws. `prompted`: an answer was given before it. */
  readonly recover?: (error: unknown, failed: { readonly answers: Partial<A>; readonly prompted: boolean }) => Promise<void>;
}

/**
 * Asks what isn't given, in order, then for the approval of all answers. Stores nothing.
 * Throws what leaves a prompt, `declined` (exit 13) where the person leaves, and what `recover` throws.
 */
export async function askForm<A extends object>(context: Context, form: Form<A>): Promise<A> {
  const { questions, review } = form;
  let answers: Partial<A> = { ...form.given };
  /** Questions that were on the screen. */
  const shown = new Set<Question<A>>();
  /** Questions whose answers are to be corrected. */
  const again = new Set(questions.filter(({ name }) => name === form.again));

  await fill();
  while (review && !(await isApproved(review))) await fill();
  return answers as A;

  async function fill(): Promise<void> {
    for (let at = 0; at < questions.length; ) {
      const question = questions[at] as Question<A>;
      if (question.applies?.(answers) === false) {
        delete answers[question.name];
        again.delete(question);
      } else if (again.has(question) || !(question.name in answers)) {
        if (!(await answer(question, at))) {
          at = questions.indexOf(returnTo(at));
          continue;
        }
      }
      at += 1;
    }
  }

  /** Returns false where the person went back. */
  async function answer(question: Question<A>, at: number): Promise<boolean> {
    const { name } = question;
    const earlier = answers[name];
    const preset = again.has(question) ? undefined : question.preset?.(answers);
    if (preset) {
      keep(question, preset.answer);
      return true;
    }
    const asking = { hasEarlier: lastShown(at) !== undefined, prompted: false };
    try {
      const given = await question.ask({ ...context, asking }, { answers, earlier, isCorrection: again.has(question) } as never);
      if (asking.prompted) shown.add(question);
      keep(question, given as A[keyof A]);
      return true;
    } catch (error) {
      if (error instanceof WentBack) return false;
      if (!form.recover) throw error;
      await form.recover(error, { answers, prompted: asking.prompted });
      return answer(question, at);
    }
  }

  function keep(question: Question<A>, given: A[keyof A]): void {
    const { name } = question;
    again.delete(question);
    const isNew = !(name in answers) || answers[name] !== given;
    answers[name] = given;
    if (!isNew) return;
    for (const other of questions) {
      if (!other.dependsOn?.includes(name) || other === question) continue;
      if (!(other.name in form.given)) delete answers[other.name];
    }
  }

  /** The last question before this one that was on the screen and still applies. */
  function lastShown(at: number): Question<A> | undefined {
    return questions.slice(0, at).findLast((one) => shown.has(one) && one.applies?.(answers) !== false);
  }

  function returnTo(at: number): Question<A> {
    const question = lastShown(at) as Question<A>;
    again.add(question);
    return question;
  }

  /** Otherwise what is to be changed is asked again. */
  async function isApproved({ summary, question }: Review<A>): Promise<boolean> {
    const message = context.writes.questionFor(question);
    context.io.stderr.write(summary(answers as A));
    const asking = { hasEarlier: lastShown(questions.length) !== undefined, prompted: false };
    try {
      // Who writes to a production profile says so.
      if (!(await askYesOrNo({ ...context, asking }, message, message === question))) {
        await askChange();
        return false;
      }
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
      returnTo(questions.length);
      return false;
    }
    context.writes.approve();
    return true;
  }

  async function askChange(): Promise<void> {
    const applying = questions.filter(({ applies }) => applies?.(answers) !== false);
    const parts = [...new Set(applying.filter(({ isOffered }) => isOffered?.(answers) !== false).map(({ part }) => part))];
    type Change = { readonly part: string } | 'all' | 'leave';
    const change = await askOption<Change>(
      { ...context, asking: { hasEarlier: true, prompted: false } },
      {
        label: 'What would you like to change?',
        options: [
          ...parts.map((part) => ({ name: part, value: { part } })),
          { name: 'Start over', value: 'all' },
          { name: 'Leave without storing', short: 'Leave', value: 'leave' },
        ],
      },
    ).catch((error: unknown) => {
      // Back to the summary.
      if (error instanceof WentBack) return undefined;
      throw error;
    });
    if (change === 'leave') throw declined('Nothing was stored.');
    if (change === 'all') {
      answers = { ...form.given };
      shown.clear();
    } else if (change) for (const question of applying) if (question.part === change.part) again.add(question);
  }
}
