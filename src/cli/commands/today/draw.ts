/** The day as text: a line for each appointment and car, and below those that leave or came without an appointment, who and where. */
import { carName } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import {
  type Arrival,
  type Day as FacilityDay,
  isWithin,
  type Lateness,
  type Visit,
} from '../../../facility/day.ts';
import { clockTime, type Day, dayName, shortTime } from '../../input/day.ts';
import { gap } from '../../output/fit-columns.ts';
import type { Styles } from '../../terminal/style.ts';
import { breakWords, grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { cut, fill, widest } from '../../terminal/width.ts';
import type { DayReport, SectionName } from './shape.ts';

interface Options {
  readonly day: Day;
  readonly location: { readonly name?: string | null } | undefined;
  readonly notRead: DayReport['notRead'];
  readonly styles: Styles;
  /** Columns of a line. */
  readonly width: number;
}

interface Line {
  /** What doesn't fit stands below, from the last on. */
  readonly cells: readonly [time: string, plate: string, car: string, state: string, who: string];
  /** Below it. */
  readonly more?: string;
}

export function dayLines(found: FacilityDay, options: Options): string[] {
  const { day, location, notRead, styles, width } = options;
  const sections = linesOf(found, day);
  const rowOf = rowsIn(Object.values(sections).flat(), width);
  const title = [dayName(day), location?.name].filter(Boolean).join(' · ');
  const drawn = (Object.keys(titles) as SectionName[]).flatMap((name) => {
    const lines = sections[name];
    const gapOf = notRead.find(({ sections }) => sections.includes(name));
    const about = gapOf
      ? styles.warning(`couldn't be read: ${sanitize(gapOf.message)}`)
      : styles.dim(lines.length === 0 ? 'none' : grouped(lines.length));
    return [
      `${styles.title(titles[name])}  ${about}`,
      ...lines.flatMap((line) => {
        const { row, below } = rowOf(line);
        return [
          `  ${row}`,
          ...(below === ''
            ? []
            : breakWords(below, width - 4)
                .split('\n')
                .map((part) => `    ${styles.dim(part)}`)),
        ];
      }),
      '',
    ];
  });
  return [styles.title(sanitize(title)), '', ...drawn.slice(0, -1)];
}

/** In their order on the screen. */
const titles: Readonly<Record<SectionName, string>> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  other: 'Other appointments',
  late: 'Late since earlier days',
  walkIns: 'Without an appointment',
  withoutPhotos: 'Photos missing',
  waitingForApproval: 'Waiting for approval',
};

function linesOf(found: FacilityDay, day: Day): Readonly<Record<SectionName, readonly Line[]>> {
  const lateBy = new Map(found.late.map(({ appointment, late }) => [appointment.id, late]));
  const visit = (
    one: Visit,
    { state = stateWords(one.appointment.status), who = nameOf(one) } = {},
  ): Line => {
    const { id, startAt, endAt, title, carId } = one.appointment;
    const late = lateBy.get(id);
    const isStatus = state === stateWords(one.appointment.status);
    const shown = late ? [...(isStatus ? [] : [state]), lateness(late)].join(' · ') : state;
    const time = isWithin(day, startAt)
      ? [clockTime(startAt), clockTime(endAt)].filter(Boolean).join('–')
      : shortTime(startAt, day);
    const what = one.car ? carName(one.car) : carId ? 'a car' : (title ?? '');
    return { cells: [time, plateOf(one), what, shown, who] };
  };
  const arrival = (one: Arrival, state: string): Line => ({
    cells: [clockTime(one.session.startedAt), plateOf(one), carName(one.car), state, ''],
  });
  const place = ({ place }: Visit | Arrival) => place?.name ?? '';
  const type = (one: Visit) => ({
    state: one.type?.name ?? one.appointment.title ?? stateWords(one.appointment.status),
  });
  return {
    arrivals: found.arrivals.map((one) => visit(one)),
    departures: found.departures.map((one) => ({ ...visit(one, { who: '' }), more: reach(one) })),
    other: found.other.map((one) => visit(one, type(one))),
    // Those of the day are late above.
    late: found.late
      .filter(({ appointment }) => !isWithin(day, appointment.startAt))
      .map((one) => visit(one)),
    walkIns: found.walkIns.map((one) => ({ ...arrival(one, ''), more: reach(one) })),
    withoutPhotos: found.withoutPhotos.map((one) => ({
      ...arrival(one, place(one)),
      more: one.missing.join(', '),
    })),
    waitingForApproval: found.waitingForApproval.map((one) => visit(one, type(one))),
  };
}

const plateOf = ({ car }: Visit | Arrival) => car?.licensePlate ?? car?.nickname ?? '–';

const nameOf = ({ customer, location, appointment }: Visit): string =>
  customer
    ? customerName(customer)
    : appointment.customerId
      ? 'a customer'
      : (location?.name ?? '');

/** `A2 · Tom Brandt · +49 40 5550104` */
const reach = ({ place, customer }: Visit | Arrival): string =>
  [place?.name, customer && customerName(customer), customer?.phone].filter(Boolean).join(' · ');

const lateness = ({ reason, lateMinutes }: Lateness) =>
  `${span(lateMinutes)}, ${stateWords(reason)}`;

/** `35 min`, `3 h`, `2 days` */
function span(minutes: number): string {
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : pluralize(Math.round(hours / 24), 'day', 'days');
}

/** The columns of all sections line up: as many as fit, at least those to the car. */
function rowsIn(
  lines: readonly Line[],
  width: number,
): (line: Line) => { readonly row: string; readonly below: string } {
  const textsOf = ({ cells }: Line) => cells.map(sanitize);
  const sizes = [0, 1, 2, 3, 4].map((at) =>
    widest(lines.map((line) => textsOf(line)[at] as string)),
  );
  const widthOf = (count: number) =>
    sizes.slice(0, count).reduce((sum, size) => sum + (size > 0 ? size + gap : 0), 0);
  const shown = [5, 4].find((count) => widthOf(count) <= width) ?? 3;
  return (line) => {
    const texts = textsOf(line);
    const row = texts
      .slice(0, shown)
      .flatMap((text, at) => (sizes[at] === 0 ? [] : [fill(text, sizes[at] as number)]))
      .join(' '.repeat(gap));
    const below = [...texts.slice(shown), sanitize(line.more ?? '')].filter(Boolean).join(' · ');
    return { row: cut(row.trimEnd(), width - 2), below };
  };
}
