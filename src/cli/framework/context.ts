/** What a command runs with. Made by `create-context.ts`. */
import type { Client } from '../../client/client.ts';
import type { Settings } from '../config/settings.ts';
import type { Writes } from '../config/writes.ts';
import type { Output } from '../output/output.ts';
import type { Io } from '../terminal/io.ts';
import type { Paint } from '../terminal/style.ts';
import type { CampaignStarts } from './campaign-start.ts';

/** A handler touches nothing but its context: no `process`, no `console`. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  /** Writes the result to stdout, as the person or script asked for it. */
  readonly output: Output;
  /** Styles for text on stderr and on a terminal's stdout; plain text where colour is off. */
  readonly paint: Paint;
  /** Whether prompts are possible: stdin and stderr are a terminal, stdin isn't at its end, and no --no-input. */
  readonly interactive: boolean;
  /** The client of the chosen server, with the key; the same one at each call. Fails with exit 4 without a key. */
  client(): Promise<Client>;
  /** What the profile allows to write. The client checks it by itself. */
  readonly writes: Writes;
  /** Which campaigns a person agreed to start. The client checks it by itself. */
  readonly campaignStarts: CampaignStarts;
  /** One line for a person, on stderr, with control characters of server text escaped. Nothing with --quiet. */
  note(text: string): void;
  /** Like a note, but also with --quiet: something needs attention. */
  warn(text: string): void;
}
