/**
 * The write protection of a profile. The client checks it before each write, so that no command can
 * forget: a read-only profile refuses writes, a production profile needs one confirmation per
 * command.
 */

import { CliError, declined, usage } from '../errors/exit.ts';
import { quote } from '../terminal/text.ts';
import type { Connection } from './connection.ts';

export interface Writes {
  /**
   * Fails for a read-only profile (exit 5), and for a production profile without a confirmation
   * (exit 13; exit 2 without a terminal and without --yes). The client calls it before each write.
   * A command that shows progress calls it earlier, so that the prompt isn't overwritten.
   */
  permit(): Promise<void>;
  /** The command is about to write. Fails for a read-only profile. Called before prompting. */
  expect(): void;
  /** Whether the command is about to write. */
  readonly expected: boolean;
  /**
   * A question about a write, with the name of a production profile added. Fails for a read-only
   * profile.
   */
  questionFor(question: string): string;
  /** The person answered such a question with yes and isn't prompted again. */
  approve(): void;
  /** The error of `permit`, if it failed. */
  readonly refusal: unknown;
}

interface Prompter {
  /** Reads the configuration file. */
  readonly connection: () => Connection;
  readonly yes: boolean;
  readonly interactive: () => boolean;
  /** Resolves to whether the answer was yes. */
  readonly ask: (question: string) => Promise<boolean>;
}

export function createWrites({ connection, yes, interactive, ask }: Prompter): Writes {
  let answer: Promise<void> | undefined;
  let refusal: unknown;
  let expected = false;

  function refuseReadOnly(): void {
    const { readOnly, profile } = connection();
    if (!readOnly) return;
    refusal = new CliError({
      code: 'read_only_profile',
      message: `The profile "${profile.value}" is read-only; nothing was sent.`,
      hint: `use another profile, or allow writes with \`cs profiles set ${quote(profile.value ?? '')} --no-read-only\``,
    });
    throw refusal;
  }

  async function permit(): Promise<void> {
    refuseReadOnly();
    const { production, profile, baseUrl } = connection();
    if (!production || yes) return;
    if (!interactive())
      throw usage(
        `The profile "${profile.value}" is marked production, so writes need a confirmation. Nothing was sent.`,
        'confirm with --yes, or run it in a terminal to be prompted',
      );
    if (!(await ask(`The profile ${profile.value} is production. Write to ${baseUrl.value}?`)))
      throw declined('Nothing was sent.');
  }

  return {
    permit() {
      answer ??= permit().catch((error) => {
        refusal = error;
        throw error;
      });
      return answer;
    },
    expect() {
      expected = true;
      refuseReadOnly();
    },
    get expected() {
      return expected;
    },
    questionFor(question) {
      refuseReadOnly();
      const { production, profile } = connection();
      return production ? `${question} (${profile.value} is production)` : question;
    },
    approve() {
      answer ??= Promise.resolve();
    },
    get refusal() {
      return refusal;
    },
  };
}
