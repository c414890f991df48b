/**
 * What one run of `cs` remembers. It belongs to the run and not to a command, because errors are
 * reported in places that don't know which command ran.
 */
import { IdMap } from '../../client/ids.ts';

export interface Stored {
  /** `POST /cars`, or what was done in words. */
  readonly did: string;
  readonly id?: string;
  /** What to do when its result can't be printed, where looking at it isn't enough. */
  readonly hint?: string;
}

interface NotStored {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** The writes of a run. */
export interface Ledger {
  /** Writes that were sent, or were about to be. */
  begun: number;
  readonly stored: Stored[];
  readonly failed: NotStored[];
  /** Writes without an answer that tells whether they were carried out. */
  readonly unknown: string[];
}

/** What a person or a script should know besides the result. Told once, when the command ends. */
export interface Note {
  /**
   * `replayed`: an earlier run with the same idempotency key stored a record. `not_shown`: a field
   * was sent, and the answer doesn't show it, or shows it otherwise. `unchecked`: a sentence, told
   * only if the command succeeds.
   */
  readonly kind: 'replayed' | 'not_shown' | 'unchecked';
  /** The record, the field or the sentence. */
  readonly about: string;
}

/** A command, with the parts of the interface that it needs beyond the specification. */
export interface CommandNeeds {
  /** `cs cars list`. */
  readonly name: string;
  /** `text`: `GET /parking/spots` in backquotes, or other parts in words. */
  readonly needs: readonly { readonly text: string; readonly otherwise: string }[];
}

interface TypedAhead {
  /** Stops reading. Returns the text that was typed. */
  take(): Promise<string>;
  goOn(): void;
}

export interface Run {
  /** What each command needs; for `cs doctor`. */
  commandNeeds?: () => Promise<readonly CommandNeeds[]>;
  readonly ledger: Ledger;
  /** Keys by source, so that a person is asked for a passphrase once. */
  readonly keys: Map<string, Promise<string>>;
  /** Milliseconds from this machine's clock to the server's, from its last answer. */
  serverClockOffset?: number;
  /**
   * The names that were typed, by record id, so that the next command is suggested in the same
   * words.
   */
  readonly typedNames: IdMap<string>;
  notes: Note[];
  /** Folders with photos that came from a phone. */
  readonly phoneFolders: string[];
  /** Lines for stderr that wait while a prompt is drawn. */
  heldNotices?: string[];
  /** Reads the keys between two prompts. */
  typedAhead?: TypedAhead | undefined;
}

export const createRun = (): Run => ({
  ledger: { begun: 0, stored: [], failed: [], unknown: [] },
  keys: new Map(),
  typedNames: new IdMap(),
  notes: [],
  phoneFolders: [],
});

/**
 * A name that identifies the record by itself: the next command is suggested in the same words, not
 * by an id that nobody knows.
 */
export function rememberInput({ run }: { readonly run: Run }, id: string, text: string): void {
  run.typedNames.set(id, text);
}

/** The id itself, where no name was typed. */
export const echoInput = ({ run }: { readonly run: Run }, id: string): string =>
  run.typedNames.get(id) ?? id;
