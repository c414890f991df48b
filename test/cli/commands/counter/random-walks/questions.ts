/** What a terminal shows of the questions, read from what `cs` has written. */
import type { Terminal } from '../../../../helpers/terminal.ts';

const approvals = [
  'Store this drop-off?',
  'Hand this car over?',
  'Store this appointment?',
] as const;
const lists = [
  'Car',
  'Owner',
  'Customer',
  'Event',
  'Option',
  'Place',
  'Fulfils',
  'What would you like to change?',
  'What now?',
] as const;
const lines = [
  'Plate',
  'Make',
  'Model',
  'Year',
  'Colour',
  'First name',
  'Last name',
  'Phone',
  'E-mail',
  'Notes',
  'Mileage',
  'Photos',
  'Start',
  'Duration',
] as const;

export type Approval = (typeof approvals)[number];
export type List = (typeof lists)[number];
export type Line = (typeof lines)[number];
export type Label = Approval | List | Line;

export const isApproval = (label: Label): label is Approval =>
  approvals.some((one) => one === label);
export const isList = (label: Label): label is List => lists.some((one) => one === label);

/** A question that waits for an answer. */
export interface Question {
  readonly label: Label;
  /** Its line, and what is drawn below it. */
  readonly drawn: readonly string[];
}

/** Each move of the cursor begins another line. */
const linesOf = (written: string): string[] =>
  written
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of the terminal
    .replace(/\u001b\[[0-9;]*m/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of the terminal
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '\n')
    .replaceAll('\r', '')
    .split('\n');

/** The last question that was drawn, if a list has its options by now. */
function questionIn(drawn: readonly string[]): Question | undefined {
  const at = drawn.findLastIndex((line) => line.startsWith('? '));
  const line = drawn[at];
  const label = [...approvals, ...lists, ...lines].find((one) => line?.startsWith(`? ${one}`));
  if (at === -1 || label === undefined) return undefined;
  const own = drawn.slice(at);
  return isList(label) && !own.some((below) => below.startsWith('❯'))
    ? undefined
    : { label, drawn: own };
}

/** Written where a question leaves the screen. */
const left = '\u001b[?25h';

/** What a terminal has written after the moment at which this is called. */
export function watch(terminal: Terminal) {
  const from = terminal.raw().length;
  const written = () => terminal.raw().slice(from);
  const drawn = () => linesOf(written());
  return {
    lines: drawn,
    question: () => questionIn(drawn()),
    /** The question that was asked anew, which takes no keys before: not the earlier one, of which a drawing may still be on its way. */
    questionAnew(): Question | undefined {
      const at = written().indexOf(left);
      return at === -1 ? undefined : questionIn(linesOf(written().slice(at)));
    },
    /** The question after the answered one, or the one what to do without the server. */
    questionAfter(label: Label): Question | undefined {
      const lines = drawn();
      const answered = lines.findIndex((line) => line.startsWith(`✓ ${label}`));
      if (answered !== -1) return questionIn(lines.slice(answered));
      const question = questionIn(lines);
      return label !== 'What now?' && question?.label === 'What now?' ? question : undefined;
    },
  };
}

/** The rows of the last summary, by their labels. A long value goes on below its first line. */
export function summaryOn(screen: string): Record<string, string> {
  const paragraph =
    screen.split(/\n\s*\n/).findLast((one) => /^ {2}(Event|Car) {2}/m.test(one)) ?? '';
  const rows: Record<string, string> = {};
  let last = '';
  for (const line of paragraph.split('\n')) {
    const [, label, value] = /^ {2}(\S(?:\S| (?! ))*) {2,}(\S.*)$/.exec(line) ?? [];
    if (label !== undefined && value !== undefined) {
      rows[label] = value;
      last = label;
    } else if (/^ {13}\S/.test(line)) rows[last] += ` ${line.trim()}`;
  }
  // A pick-up at the counter shows the car and its place once: above the summary.
  if (!rows.Event?.includes(' · ')) return rows;
  const above = (start: RegExp) =>
    [...screen.matchAll(new RegExp(`^${start.source} +(.+(?:\\n {13}\\S.*)*)`, 'gm'))]
      .at(-1)?.[1]
      ?.replace(/\s+/g, ' ');
  const [car, place] = [above(/✓ Car/), above(/ {2}Parked in/)];
  return { ...(car && { Car: car }), ...(place && { 'Parked in': place }), ...rows };
}
