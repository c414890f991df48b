/** The day for a person: calm sections of one line each, never wider than the terminal. */

import type { Context } from '../../command.ts';
import { carName } from '../../names/callings.ts';
import { counted, grouped, sanitize } from '../../text.ts';
import { localTime } from '../../when.ts';
import type { CarIdentity } from '../cars/describe.ts';
import { fill, widest } from '../columns.ts';
import { clockTime, type Day, dayName } from '../day.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Visit } from './day.ts';

const titles: Record<SectionName, string> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  other: 'Other appointments',
  late: 'Late',
  withoutPhotos: 'Cars without photos',
  waitingForApproval: 'Waiting for approval',
};

/** When, plate, car, who, and how it stands. */
type Line = readonly [when: string, plate: string, car: string, who: string, state: string];

interface Shown {
  readonly day: Day;
  /** Lines of a section; the rest is counted. */
  readonly limit: number;
  /** Cells of a line. */
  readonly width: number;
}

export function dayText({ paint }: Pick<Context, 'paint'>, report: DayReport, { day, limit, width }: Shown): string {
  const lines: Record<SectionName, Line[] | undefined> = {
    arrivals: report.arrivals?.map((visit) => visitLine(visit, day)),
    departures: report.departures?.map((visit) => visitLine(visit, day)),
    other: report.other?.map((visit) => visitLine(visit, day, typeOf(visit))),
    late: report.late?.map((visit) => visitLine(visit, day, lateness(visit))),
    withoutPhotos: report.withoutPhotos?.map((one) => photolessLine(one)),
    waitingForApproval: report.waitingForApproval?.map((visit) => visitLine(visit, day, typeOf(visit))),
  };
  const sections = (Object.keys(titles) as SectionName[]).map((name) => {
    const all = lines[name];
    const title = paint.title(titles[name]);
    if (!all) return `${title}  ${paint.careful(`not read: ${sanitize(whyNot(report, name))}`)}\n`;
    if (all.length === 0) return `${title}  ${paint.dim('none')}\n`;
    const rows = inColumns(all.slice(0, limit), width).map((row) => `  ${row}\n`);
    const more = all.length - limit;
    const rest = more > 0 ? `  ${paint.dim(`… and ${grouped(more)} more; --limit ${all.length} shows them`)}\n` : '';
    return `${title}  ${paint.dim(grouped(all.length))}\n${rows.join('')}${rest}`;
  });
  const where = report.location ? ` · ${report.location.name}` : '';
  return `${[`${paint.title(sanitize(`${dayName(day)}${where}`))}\n`, ...sections].join('\n')}`;
}

const whyNot = ({ notRead }: DayReport, name: SectionName) => notRead.find(({ sections }) => sections.includes(name))?.message ?? '';

function visitLine({ appointment, car, customer, location }: Visit, day: Day, state = words(appointment.status)): Line {
  const { startAt, endAt, title, carId, customerId } = appointment;
  const ofDay = startAt !== null && startAt >= day.from && startAt <= day.to;
  const when = ofDay ? [clockTime(startAt), clockTime(endAt)].filter(Boolean).join('–') : localTime(startAt);
  const who = customer?.name ?? (customerId ? 'a customer' : '');
  const what = car ? nameOf(car) : carId ? 'a car' : (title ?? '');
  return [when, car?.licensePlate ?? car?.nickname ?? '–', what, who || (location?.name ?? ''), state];
}

const photolessLine = ({ car, spot, zone, droppedOffAt }: CarWithoutPhotos): Line => [
  clockTime(droppedOffAt),
  car.licensePlate ?? car.nickname ?? '–',
  nameOf(car),
  '',
  spot?.name ?? zone?.name ?? '',
];

const nameOf = (car: CarIdentity) => carName(car);
const words = (status: string) => status.replaceAll('_', ' ');
const typeOf = ({ appointment, eventType }: Visit) => eventType?.name ?? appointment.title ?? words(appointment.status);
const lateness = ({ reason, lateMinutes }: LateVisit) => `${words(reason)}, ${span(lateMinutes)}`;

/** `35 min`, `3 h`, `2 days` */
function span(minutes: number): string {
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} h` : counted(Math.round(hours / 24), 'day', 'days');
}

/** The plate and the state are what one looks for; the car's name and the person give way. */
function inColumns(lines: readonly Line[], width: number): string[] {
  const cells = lines.map((line) => line.map(sanitize) as unknown as Line);
  const column = (index: number, room?: number) =>
    widest(
      cells.map((line) => line[index] as string),
      room,
    );
  const [when, plate, state] = [column(0, 16), column(1, 14), column(4, 24)];
  const room = width - when - plate - state - 2 - 4 * 2;
  const who = cells.some((line) => line[3] !== '') ? column(3, Math.max(8, Math.floor(room * 0.45))) : 0;
  const car = column(2, Math.max(8, room - who));
  return cells.map(([time, name, what, person, how]) =>
    [fill(time, when), fill(name, plate), fill(what, car), ...(who > 0 ? [fill(person, who)] : []), fill(how, state)].join('  ').trimEnd(),
  );
}
