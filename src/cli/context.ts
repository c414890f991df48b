/** Everything that a command works with. Created by `create-context.ts`. */
import type { Client, WriteRequest } from '../client/client.ts';
import type { IdSet } from '../client/ids.ts';
import type { Settings } from './config/settings.ts';
import type { Writes } from './config/writes.ts';
import type { Output } from './output/output.ts';
import type { Io } from './terminal/io.ts';
import type { Styles } from './terminal/style.ts';

/** The question of a form that prompts belong to. */
export interface Asking {
  /** Whether Esc and Shift-Tab go back: to a question before it, or to the summary. */
  readonly canGoBack: boolean;
  /** Whether a prompt was shown for it. */
  prompted: boolean;
  /**
   * What was typed and chosen in its prompts, by their labels: a prompt that is asked again starts
   * there.
   */
  readonly entered: Map<string, Entered>;
  /** Writes what goes from the screen when the question is asked again. */
  print(text: string): void;
  /** Takes all that it has written from the screen, for its prompts to begin again. */
  erase(): void;
}

export interface Entered {
  readonly typed: string;
  /** The option under the cursor. */
  readonly chosen?: { readonly value: unknown } | undefined;
}

/** A handler uses its context only: no `process`, no `console`. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** Writes the result to stdout in the requested format. */
  readonly output: Output;
  /** Styles for text; they do nothing where colour is off. */
  readonly styles: Styles;
  /**
   * Whether prompts are possible: stdin and stderr are terminals, stdin isn't at its end, and
   * --no-input isn't set.
   */
  readonly interactive: boolean;
  /** The question of a form that is being asked. */
  readonly asking?: Asking;
  /**
   * The client of the chosen server, created at the first call. Fails with exit 4 without a key.
   */
  client(): Promise<Client>;
  /** The write protection of the profile. The client checks it before each write. */
  readonly writes: Writes;
  /**
   * Fails if a write needs a confirmation that the person hasn't given. The client calls it before
   * each write. A command with several writes calls it before the first.
   */
  checkWrites(writes: readonly WriteRequest[]): Promise<void>;
  /** Ids of records whose change the person has confirmed, for the write checks. */
  readonly confirmedIds: IdSet;
  /** A line for people on stderr, control characters escaped. Omitted with --quiet. */
  note(text: string): void;
  /** Like a note, but not omitted with --quiet. */
  warn(text: string): void;
}

/** A rule for the writes of every command, listed in `commands/catalogue.ts`. */
export type WriteCheck = (context: Context, writes: readonly WriteRequest[]) => Promise<void>;
