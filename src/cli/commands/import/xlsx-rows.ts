/** The rows of a sheet of an .xlsx file, as cells of text. Formulas are read as their stored value. */
import { readFile } from 'node:fs/promises';
import type { Cell, CellValue } from 'hucre/xlsx';
import { CliError } from '../../errors/exit.ts';
import { joinList } from '../../terminal/text.ts';

export interface SheetRow {
  /** As the spreadsheet counts. */
  readonly number: number;
  readonly cells: readonly string[];
  /** The first cell that has no value to import; `column` counts from 0. */
  readonly wrong?: { readonly column: number; readonly why: string } | undefined;
}

export interface SheetSource {
  readonly path: string;
  /** For messages. */
  readonly name: string;
  /** (default: the first sheet) */
  readonly sheet?: string | undefined;
}

/** The names of the sheets. Exit 3 for a file that isn't a spreadsheet, and for an unknown sheet. */
export async function readSheetNames({ path, name, sheet }: SheetSource): Promise<string[]> {
  const { readXlsx } = await import('hucre/xlsx');
  const names: string[] = [];
  const skip = (info: { name: string }) => {
    names.push(info.name);
    return false;
  };
  await readXlsx(await readFile(path), { sheets: skip }).catch((error) =>
    Promise.reject(unreadable(name, error)),
  );
  if (sheet !== undefined && !names.includes(sheet))
    throw new CliError({
      code: 'invalid_xlsx',
      message: `${name} has no sheet "${sheet}".`,
      hint: `it has ${joinList(names)}`,
    });
  return names;
}

/** Without empty rows. */
export async function readSheet({ path, name, sheet }: SheetSource): Promise<SheetRow[]> {
  const { readXlsx } = await import('hucre/xlsx');
  const { sheets } = await readXlsx(await readFile(path), { sheets: [sheet ?? 0] }).catch((error) =>
    Promise.reject(unreadable(name, error)),
  );
  const { rows = [], cells: special } = sheets[0] ?? {};
  return rows.flatMap((values, row) => {
    const wrong = values.flatMap((value, column) => {
      const why = problemOf(value, special?.get(`${row},${column}`));
      return why === undefined ? [] : [{ column, why }];
    })[0];
    const cells = values.map(textOf);
    return wrong || cells.some((cell) => cell !== '') ? [{ number: row + 1, cells, wrong }] : [];
  });
}

/** Why a cell has no value to import. */
function problemOf(value: CellValue, cell: Cell | undefined): string | undefined {
  if (cell?.type === 'error' || isErrorText(value)) return `has the error ${value}`;
  if (cell?.formula !== undefined && value === null)
    return 'has a formula whose value is missing (save the file in a spreadsheet program)';
  // The day before the first one that a cell can have.
  if (value instanceof Date && value.getUTCFullYear() < 1900) return 'has a time without a day';
  return undefined;
}

function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CliError) return error;
  return new CliError({
    code: 'invalid_xlsx',
    message: `${name} isn't a readable .xlsx file: ${error.message.replace(/\.$/, '')}.`,
    hint: 'save it again as .xlsx in the spreadsheet program, without a password; or save the sheet as "CSV UTF-8"',
    cause: error,
  });
}

function textOf(value: CellValue): string {
  if (value === null) return '';
  if (value instanceof Date) return timeText(value);
  if (typeof value === 'number') return numberText(value);
  return String(value);
}

/** Without an exponent, and without the digits that binary fractions add: a spreadsheet shows 15. */
function numberText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(Number(value.toPrecision(15)));
}

/** A cell has no time zone: it is a local time, like one without an offset in csv. The library gives its digits as UTC. */
function timeText(value: Date): string {
  if (Number.isNaN(value.getTime())) return '';
  const [day = '', clock = ''] = value.toISOString().slice(0, -1).split('T');
  if (!clock.endsWith('.000')) return new Date(`${day}T${clock}`).toISOString();
  return clock === '00:00:00.000' ? day : `${day} ${clock.slice(0, -4)}`;
}

/** Also as text: a file of failed rows has the errors of its source as text. */
const isErrorText = (value: CellValue): boolean =>
  typeof value === 'string' &&
  /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|FIELD!|BLOCKED!|BUSY!|CONNECT!|UNKNOWN!|GETTING_DATA)$/.test(
    value,
  );
