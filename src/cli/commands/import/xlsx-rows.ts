/** The rows of a sheet of an .xlsx file, as cells of text. Formulas are read as their last value. */
import { readFile } from 'node:fs/promises';
import type { CellValue } from 'hucre/xlsx';
import { CliError } from '../../errors/exit.ts';
import { joinList } from '../../terminal/text.ts';

export interface SheetRow {
  /** As the spreadsheet counts. */
  readonly number: number;
  readonly cells: readonly string[];
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
  await readXlsx(await readFile(path), { sheets: skip }).catch((error) => Promise.reject(unreadable(name, error)));
  if (sheet !== undefined && !names.includes(sheet))
    throw new CliError({ code: 'invalid_xlsx', message: `${name} has no sheet "${sheet}".`, hint: `it has ${joinList(names)}` });
  return names;
}

/** Without empty rows. */
export async function* readSheet({ path, name, sheet = undefined }: SheetSource): AsyncGenerator<SheetRow, void> {
  const { streamXlsxRows } = await import('hucre/xlsx');
  const rows = streamXlsxRows(await readFile(path), sheet === undefined ? {} : { sheet });
  try {
    for await (const { index, values } of rows) {
      const cells = values.map(textOf);
      if (cells.some((cell) => cell !== '')) yield { number: index + 1, cells };
    }
  } catch (error) {
    throw unreadable(name, error);
  }
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
  return String(value).trim();
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

/** Text that a spreadsheet shows in place of a value that it couldn't compute. */
export const isCellError = (cell: string): boolean => /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/.test(cell);
