/** The report as text: a line for each appointment and car, never wider than the terminal. */

import { carName } from '../../../facility/car-names.ts';
import { isWithin } from '../../../facility/day.ts';
import type { Context } from '../../context.ts';
import { clockTime, type Day, dayName, shortTime } from '../../input/day.ts';
import { plateRoom } from '../../output/view.ts';
import { grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widthOf } from '../../terminal/width.ts';
import type { DrawnLine } from '../live/picture.ts';
import { keyOfCar, keyOfVisit } from './model.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Visit } from './shape.ts';

const titles: Record<SectionName, string> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  other: 'Other appointments',
  late: 'Late',
  withoutPhotos: 'Cars without photos',
  waitingForApproval: 'Waiting for approval',
};

type Cells = readonly [time: string, plate: string, car: string, customer: string, status: string];

interface Line {
  /** Of its car in the live view. */
  readonly key: string;
  readonly cells: Cells;
}

interface TextOptions {
  readonly day: Day;
  /** Maximum lines of a section. */
  readonly limit: number;
  /** Columns of a line. */
  readonly width: number;
  /** The key of the line that is marked. */
  readonly chosenKey?: string | undefined;
}

export const dayText = (
  context: Pick<Context, 'styles'>,
  report: DayReport,
  options: TextOptions,
): string =>
  drawDay(context, report, options)
    .map(({ text }) => `${text}\n`)
    .join('');

/** With the key of the car in each line. */
export function drawDay(
  { styles }: Pick<Context, 'styles'>,
  report: DayReport,
  { limit, width, chosenKey, day }: TextOptions,
): DrawnLine[] {
  const shownOf = (lines: Sections) =>
    Object.values(lines).flatMap((all) => all?.slice(0, limit) ?? []);
  const whole = linesOf(report, day, true);
  // Where a line is short, the car is worth more than the reason, which the sections above tell.
  const lines = wholeWidth(shownOf(whole)) <= width ? whole : linesOf(report, day, false);
  const rowOf = inColumns(shownOf(lines), width);
  const sections = (Object.keys(titles) as SectionName[]).flatMap((name): DrawnLine[] => {
    const all = lines[name];
    const title = styles.title(titles[name]);
    if (!all)
      return [
        {
          text: `${title}  ${styles.warning(`couldn't be read: ${sanitize(reasonFor(report, name))}`)}`,
        },
        empty,
      ];
    if (all.length === 0) return [{ text: `${title}  ${styles.dim('none')}` }, empty];
    const rows = all.slice(0, limit).map((line): DrawnLine => {
      const { key } = line;
      return {
        text: key === chosenKey ? styles.command(`❯ ${rowOf(line)}`) : `  ${rowOf(line)}`,
        cars: [key],
      };
    });
    const more = all.length - limit;
    const rest =
      more > 0
        ? [
            {
              text: `  ${styles.dim(`… and ${grouped(more)} more; --limit ${all.length} shows them`)}`,
            },
          ]
        : [];
    return [{ text: `${title}  ${styles.dim(grouped(all.length))}` }, ...rows, ...rest, empty];
  });
  const where = report.location ? ` · ${report.location.name}` : '';
  return [
    { text: styles.title(sanitize(`${dayName(day)}${where}`)) },
    empty,
    ...sections.slice(0, -1),
  ];
}

type Sections = Readonly<Record<SectionName, Line[] | undefined>>;

/** `tellsWhy`: the late ones with their reason. */
function linesOf(report: DayReport, day: Day, tellsWhy: boolean): Sections {
  return {
    arrivals: report.arrivals?.map((visit) => visitLine('arrivals', visit, { day })),
    departures: report.departures?.map((visit) => visitLine('departures', visit, { day })),
    other: report.other?.map((visit) => visitLine('other', visit, { day, state: typeOf(visit) })),
    late: report.late?.map((visit) =>
      visitLine('late', visit, { day, state: lateness(visit, tellsWhy) }),
    ),
    withoutPhotos: report.withoutPhotos?.map((one) => carLine(one)),
    waitingForApproval: report.waitingForApproval?.map((visit) =>
      visitLine('waitingForApproval', visit, { day, state: typeOf(visit) }),
    ),
  };
}

const empty: DrawnLine = { text: '' };
const reasonFor = ({ notRead }: DayReport, name: SectionName) =>
  notRead.find(({ sections }) => sections.includes(name))?.message ?? '';

function visitLine(
  section: SectionName,
  { appointment, car, customer, location }: Visit,
  { day, state = stateWords(appointment.status) }: { readonly day: Day; readonly state?: string },
): Line {
  const { startAt, endAt, title, carId, customerId } = appointment;
  const time = isWithin(day, startAt)
    ? [clockTime(startAt), clockTime(endAt)].filter(Boolean).join('–')
    : shortTime(startAt, day);
  const who = customer?.name ?? (customerId ? 'a customer' : '');
  const what = car ? carName(car) : carId ? 'a car' : (title ?? '');
  const cells: Cells = [
    time,
    car?.licensePlate ?? car?.nickname ?? '–',
    what,
    who || (location?.name ?? ''),
    state,
  ];
  return { key: keyOfVisit(section, appointment), cells };
}

const carLine = (one: CarWithoutPhotos): Line => {
  const { car, spot, zone, droppedOffAt } = one;
  const plate = car.licensePlate ?? car.nickname ?? '–';
  return {
    key: keyOfCar(one),
    cells: [clockTime(droppedOffAt), plate, carName(car), '', spot?.name ?? zone?.name ?? ''],
  };
};

const typeOf = ({ appointment, eventType }: Visit) =>
  eventType?.name ?? appointment.title ?? stateWords(appointment.status);
const lateness = ({ reason, lateMinutes }: LateVisit, tellsWhy: boolean) =>
  tellsWhy ? `${stateWords(reason)}, ${span(lateMinutes)}` : span(lateMinutes);

/** `35 min`, `3 h`, `2 days` */
function span(minutes: number): string {
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : pluralize(Math.round(hours / 24), 'day', 'days');
}

/** Minimum useful width of a column. */
const minWidth = 8;
const gap = 2;

/** Cells of a line that cuts nothing. */
function wholeWidth(lines: readonly Line[]): number {
  const sizes = [0, 1, 2, 3, 4].map((index) =>
    Math.max(0, ...lines.map(({ cells }) => widthOf(sanitize(cells[index] as string)))),
  );
  return sizes.filter((size) => size > 0).reduce((sum, size) => sum + gap + size, 0);
}

/** Cells of the car's name that go before the customer. */
const carRoom = 30;
/** `checked in` */
const stateRoom = 10;

/**
 * The columns of all sections line up. Time and plate keep their width, then comes the name of the car: status and customer are cut first,
 * and the customer is dropped first.
 */
function inColumns(lines: readonly Line[], width: number): (line: Line) => string {
  const cellsOf = ({ cells }: Line) => cells.map(sanitize) as unknown as Cells;
  const contentWidth = (index: number) =>
    Math.max(0, ...lines.map((line) => widthOf(cellsOf(line)[index] as string)));
  const time = contentWidth(0);
  const plate = Math.min(contentWidth(1), plateRoom(width));
  let left = width - 2 - time - gap - plate;
  const withGap = (size: number) => (size > 0 ? size + gap : 0);
  const take = (index: number, most: number) => {
    const [size, room] = [contentWidth(index), Math.min(most, left - gap)];
    const taken = room < Math.min(size, minWidth) ? 0 : Math.min(size, room);
    left -= withGap(taken);
    return taken;
  };
  const leastState = Math.min(contentWidth(4), stateRoom);
  const leastWho = Math.min(contentWidth(3), minWidth);
  const car = take(2, Math.min(carRoom, left - gap - withGap(leastState)));
  const state = take(4, Math.min(24, Math.max(leastState, left - gap - withGap(leastWho))));
  const who = take(3, left);
  const wholeCar = car === 0 ? 0 : Math.min(contentWidth(2), car + left);
  const sizes = [time, plate, wholeCar, who, state];
  return (line) =>
    cellsOf(line)
      .flatMap((text, index) =>
        (sizes[index] as number) > 0 ? [fill(text, sizes[index] as number)] : [],
      )
      .join(' '.repeat(gap))
      .trimEnd();
}
