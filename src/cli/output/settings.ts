/** How a result is printed. `config/` reads it from flags, variables and profile. */
import type { Names } from './format.ts';
import type { Format } from './formats.ts';

export interface OutputSettings {
  readonly output: Format;
  /** The fields of --json. (default: all) */
  readonly fields: Names | undefined;
  /** The columns or fields of --columns. */
  readonly columns: Names | undefined;
  /** The program of --jq. */
  readonly jq: { readonly value: string; readonly origin: string } | undefined;
  /** Formulas in csv stay as they are. */
  readonly csvRaw: boolean;
  /** The command that shows long results on a terminal, if any. (default: less) */
  readonly pager: string | undefined;
}
