/** The report as text: a line for each appointment and car, never wider than the terminal. */
import type { Context } from '../../framework/context.ts';
import { clockTime, type Day, dayName, isWithin } from '../../input/day.ts';
import { localTime } from '../../input/when.ts';
import { carName } from '../../lookup/labels.ts';
import { plateRoom } from '../../output/view.ts';
import { grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widthOf } from '../../terminal/width.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Visit } from './shape.ts';

const titles: Record<SectionName, string> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  other: 'Other appointments',
  late: 'Late',
  withoutPhotos: 'Cars without photos',
  waitingForApproval: 'Waiting for approval',
};

type Line = readonly [time: string, plate: string, car: string, customer: string, status: string];

interface TextOptions {
  readonly day: Day;
  /** Maximum lines of a section. */
  readonly limit: number;
  /** Columns of a line. */
  readonly width: number;
}

export function dayText({ styles }: Pick<Context, 'styles'>, report: DayReport, { day, limit, width }: TextOptions): string {
  const lines: Record<SectionName, Line[] | undefined> = {
    arrivals: report.arrivals?.map((visit) => visitLine(visit, day)),
    departures: report.departures?.map((visit) => visitLine(visit, day)),
    other: report.other?.map((visit) => visitLine(visit, day, typeOf(visit))),
    late: report.late?.map((visit) => visitLine(visit, day, lateness(visit))),
    withoutPhotos: report.withoutPhotos?.map((one) => carLine(one)),
    waitingForApproval: report.waitingForApproval?.map((visit) => visitLine(visit, day, typeOf(visit))),
  };
  const sections = (Object.keys(titles) as SectionName[]).map((name) => {
    const all = lines[name];
    const title = styles.title(titles[name]);
    if (!all) return `${title}  ${styles.warning(`couldn't be read: ${sanitize(reasonFor(report, name))}`)}\n`;
    if (all.length === 0) return `${title}  ${styles.dim('none')}\n`;
    const rows = inColumns(all.slice(0, limit), width).map((row) => `  ${row}\n`);
    const more = all.length - limit;
    const rest = more > 0 ? `  ${styles.dim(`… and ${grouped(more)} more; --limit ${all.length} shows them`)}\n` : '';
    return `${title}  ${styles.dim(grouped(all.length))}\n${rows.join('')}${rest}`;
  });
  const where = report.location ? ` · ${report.location.name}` : '';
  return `${[`${styles.title(sanitize(`${dayName(day)}${where}`))}\n`, ...sections].join('\n')}`;
}

const reasonFor = ({ notRead }: DayReport, name: SectionName) => notRead.find(({ sections }) => sections.includes(name))?.message ?? '';

function visitLine({ appointment, car, customer, location }: Visit, day: Day, state = stateWords(appointment.status)): Line {
  const { startAt, endAt, title, carId, customerId } = appointment;
  const time = isWithin(day, startAt) ? [clockTime(startAt), clockTime(endAt)].filter(Boolean).join('–') : localTime(startAt);
  const who = customer?.name ?? (customerId ? 'a customer' : '');
  const what = car ? carName(car) : carId ? 'a car' : (title ?? '');
  return [time, car?.licensePlate ?? car?.nickname ?? '–', what, who || (location?.name ?? ''), state];
}

const carLine = ({ car, spot, zone, droppedOffAt }: CarWithoutPhotos): Line => [
  clockTime(droppedOffAt),
  car.licensePlate ?? car.nickname ?? '–',
  carName(car),
  '',
  spot?.name ?? zone?.name ?? '',
];

const typeOf = ({ appointment, eventType }: Visit) => eventType?.name ?? appointment.title ?? stateWords(appointment.status);
const lateness = ({ reason, lateMinutes }: LateVisit) => `${stateWords(reason)}, ${span(lateMinutes)}`;

/** `35 min`, `3 h`, `2 days` */
function span(minutes: number): string {
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : pluralize(Math.round(hours / 24), 'day', 'days');
}

/** Minimum useful width of a column. */
const minWidth = 8;
const gap = 2;

/** Time, plate and status keep their width; customer and car are cut, then dropped. */
function inColumns(lines: readonly Line[], width: number): string[] {
  const cells = lines.map((line) => line.map(sanitize) as unknown as Line);
  const contentWidth = (index: number) => Math.max(...cells.map((line) => widthOf(line[index] as string)));
  const time = contentWidth(0);
  const plate = Math.min(contentWidth(1), plateRoom(width));
  let left = width - 2 - time - gap - plate;
  const take = (index: number, most: number) => {
    const [size, room] = [contentWidth(index), Math.min(most, left - gap)];
    if (size === 0 || room < Math.min(size, minWidth)) return 0;
    const taken = Math.min(size, room);
    left -= gap + taken;
    return taken;
  };
  const state = take(4, 24);
  // At most 45 % of the rest, or what the car's name leaves.
  const who = take(3, Math.max(Math.floor((left - gap) * 0.45), left - gap - gap - contentWidth(2)));
  const sizes = [time, plate, take(2, left), who, state];
  return cells.map((line) =>
    line
      .flatMap((text, index) => ((sizes[index] as number) > 0 ? [fill(text, sizes[index] as number)] : []))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}
