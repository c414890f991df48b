/**
 * What a profile says of writes. The client asks here before each one is sent, whichever command makes it, so that none can forget:
 * a read-only profile refuses it, one that is marked production asks the person, once for the whole command.
 */

import { CliError, declined, type ExitCode, usage } from '../errors/exit.ts';
import { quote } from '../terminal/text.ts';
import type { Connection } from './connection.ts';

export interface Writes {
  /**
   * Fails where the profile is read-only (exit 5), and where it is marked production and the person does not agree
   * (exit 13; exit 2 without a terminal and without --yes). The client does this before a write is sent; a command that shows progress
   * while it writes does it before, so that the question has the screen to itself.
   */
  permit(): Promise<void>;
  /** Fails where the profile is read-only: before a person has answered questions in vain. */
  refuseReadOnly(): void;
  /** A question about a write, naming the profile where it is marked production. Fails where it is read-only. */
  naming(question: string): string;
  /** Such a question was answered with yes, so the person is not asked again. */
  agree(): void;
  /** What `permit` failed with. */
  readonly refusal: unknown;
}

interface Asker {
  /** Reads the configuration file. */
  readonly connection: () => Connection;
  readonly yes: boolean;
  readonly interactive: () => boolean;
  /** Asks and answers whether it was a yes. */
  readonly ask: (question: string) => Promise<boolean>;
}

export function createWrites({ connection, yes, interactive, ask }: Asker): Writes {
  let answer: Promise<void> | undefined;
  let refusal: unknown;

  function refuseReadOnly(): void {
    const { readOnly, profile } = connection();
    if (!readOnly) return;
    refusal = new CliError({
      code: 'read_only_profile',
      message: `The profile "${profile.value}" is read-only, so nothing was sent.`,
      hint: `use another profile, or \`cs profiles set ${quote(profile.value ?? '')} --no-read-only\``,
      exitCode: 5 satisfies ExitCode,
    });
    throw refusal;
  }

  async function permit(): Promise<void> {
    refuseReadOnly();
    const { production, profile, baseUrl } = connection();
    if (!production || yes) return;
    if (!interactive())
      throw usage(
        `The profile "${profile.value}" is marked production, so a write needs a yes. Nothing was sent.`,
        'give --yes to go on without being asked',
      );
    if (!(await ask(`The profile ${profile.value} is production. Write to ${baseUrl.value}?`))) throw declined('Nothing was sent.');
  }

  return {
    permit() {
      answer ??= permit().catch((error) => {
        refusal = error;
        throw error;
      });
      return answer;
    },
    refuseReadOnly,
    naming(question) {
      refuseReadOnly();
      const { production, profile } = connection();
      return production ? `${question} (${profile.value} is production)` : question;
    },
    agree() {
      answer ??= Promise.resolve();
    },
    get refusal() {
      return refusal;
    },
  };
}
