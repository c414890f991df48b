/** The lines of a sheet of an .xlsx file, as cells of text. Formulas are read as their stored value. */
import type { Cell, CellValue, Sheet } from 'hucre/xlsx';
import { CliError } from '../../errors/exit.ts';
import { joinList } from '../../terminal/text.ts';

export interface Line {
  /** As the spreadsheet counts. */
  readonly number: number;
  readonly cells: readonly string[];
  /** The columns, from 0, with values that can't be read, and why the first one can't. */
  readonly wrong?: { readonly columns: readonly number[]; readonly why: string } | undefined;
}

/** The library holds 20 to 50 times as much in memory, and refuses a rectangle of more than 20 million cells. 20,000 rows of 15 columns unpack to about 22 MB. */
const maxBytes = 24_000_000;
/** `names`: of every sheet. Exit 3 for a file that isn't a spreadsheet or is too large for one, and for an unknown sheet. */
export async function readSheet(
  bytes: Uint8Array,
  { name, sheet }: { name: string; sheet?: string | undefined },
): Promise<{ names: string[]; lines: Line[] }> {
  const { readXlsx } = await import('hucre/xlsx');
  const names: string[] = [];
  const isWanted = (info: { name: string }) => {
    names.push(info.name);
    return sheet === undefined ? names.length === 1 : info.name === sheet;
  };
  try {
    await requireSmall(name, bytes);
    const { sheets } = await readXlsx(bytes, { sheets: isWanted });
    if (sheets[0]) return { names, lines: linesOf(sheets[0]) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof CliError) throw error;
    throw invalid(
      `${name} isn't a readable .xlsx file: ${error.message.replace(/\.$/, '')}.`,
      'delete empty rows and columns behind the data, and save it again as .xlsx in the spreadsheet program, without a password; or save the sheet as "CSV UTF-8"',
    );
  }
  throw invalid(
    `${name} has no sheet${sheet === undefined ? '' : ` "${sheet}"`}.`,
    names.length > 0 ? `it has ${joinList(names)}` : 'save it again as .xlsx',
  );
}

const invalid = (message: string, hint: string) =>
  new CliError({ code: 'invalid_file', message, hint });

/** By the directory of the archive, before anything is unpacked. The library unpacks no part further than it says there. */
async function requireSmall(name: string, bytes: Uint8Array): Promise<void> {
  const { unzipSync } = await import('fflate');
  let unpacked = 0;
  unzipSync(bytes, {
    filter(part) {
      // The library has no bound for a part without a size.
      unpacked += part.originalSize || (part.name.endsWith('/') ? 0 : Number.POSITIVE_INFINITY);
      return false;
    },
  });
  if (unpacked > maxBytes)
    throw invalid(
      `${name} unpacks to more than ${maxBytes / 1e6} MB, the most that cs reads from an .xlsx file.`,
      'save the sheet as "CSV UTF-8", which takes more',
    );
}

function linesOf({ rows, cells: special }: Sheet): Line[] {
  return rows.flatMap((values, row) => {
    // Most cells of a large sheet are empty.
    if (!special && values.every((value) => value === null)) return [];
    const problems = values.map((value, at) => problemOf(value, special?.get(`${row},${at}`)));
    const why = problems.find(Boolean);
    const columns = problems.flatMap((problem, at) => (problem ? [at] : []));
    const wrong = why === undefined ? undefined : { columns, why };
    const cells = values.map(textOf);
    return wrong || cells.some((cell) => cell !== '') ? [{ number: row + 1, cells, wrong }] : [];
  });
}

/** Why a cell has no value to import. */
function problemOf(value: CellValue, cell: Cell | undefined): string | undefined {
  if (cell?.type === 'error') return `has the error ${value}`;
  if (cell?.formula !== undefined && value === null)
    return 'has a formula whose value is missing (save the file in a spreadsheet program)';
  // The day before the first one that a cell can have.
  if (value instanceof Date && value.getUTCFullYear() < 1900) return 'has a time without a day';
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'has an invalid time';
  return undefined;
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

/** A cell that couldn't be read is an error there too: as text, it would be imported. */
export async function writeSheet(
  header: readonly string[],
  lines: readonly Line[],
): Promise<Uint8Array> {
  const { writeXlsx } = await import('hucre/xlsx');
  const { literal } = await import('../../output/xlsx.ts');
  const cells = lines.flatMap(({ wrong }, at) =>
    (wrong?.columns ?? []).map(
      (column) => [`${at + 1},${column}`, { value: null, formula: 'NA()' }] as const,
    ),
  );
  const rows = [[...header], ...lines.map((line) => line.cells.map(literal))];
  return writeXlsx({ sheets: [{ name: 'rejects', rows, cells: new Map(cells) }] });
}
