/** The day for a person: calm sections of one line each, never wider than the terminal. */

import type { Context } from '../../framework/context.ts';
import { clockTime, type Day, dayName } from '../../input/day.ts';
import { localTime } from '../../input/when.ts';
import { carName } from '../../lookup/labels.ts';
import { plateRoom } from '../../output/view.ts';
import { grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { fill, widthOf } from '../../terminal/width.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Visit } from './model.ts';

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

function visitLine({ appointment, car, customer, location }: Visit, day: Day, state = stateWords(appointment.status)): Line {
  const { startAt, endAt, title, carId, customerId } = appointment;
  const ofDay = startAt !== null && startAt >= day.from && startAt <= day.to;
  const when = ofDay ? [clockTime(startAt), clockTime(endAt)].filter(Boolean).join('–') : localTime(startAt);
  const who = customer?.name ?? (customerId ? 'a customer' : '');
  const what = car ? carName(car) : carId ? 'a car' : (title ?? '');
  return [when, car?.licensePlate ?? car?.nickname ?? '–', what, who || (location?.name ?? ''), state];
}

const photolessLine = ({ car, spot, zone, droppedOffAt }: CarWithoutPhotos): Line => [
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

/** Cells below which a column says nothing. */
const readable = 8;
const gap = 2;

/** The plate, the time and the state are what one looks for; the person and the car's name give way, first in part, then as a whole. */
function inColumns(lines: readonly Line[], width: number): string[] {
  const cells = lines.map((line) => line.map(sanitize) as unknown as Line);
  const wanted = (index: number) => Math.max(...cells.map((line) => widthOf(line[index] as string)));
  const when = wanted(0);
  const plate = Math.min(wanted(1), plateRoom(width));
  let left = width - 2 - when - gap - plate;
  const take = (index: number, most: number) => {
    const [size, room] = [wanted(index), Math.min(most, left - gap)];
    if (size === 0 || room < Math.min(size, readable)) return 0;
    const taken = Math.min(size, room);
    left -= gap + taken;
    return taken;
  };
  const state = take(4, 24);
  // The person has less than half of what is left, or all that the car's name does not need.
  const who = take(3, Math.max(Math.floor((left - gap) * 0.45), left - gap - gap - wanted(2)));
  const sizes = [when, plate, take(2, left), who, state];
  return cells.map((line) =>
    line
      .flatMap((text, index) => ((sizes[index] as number) > 0 ? [fill(text, sizes[index] as number)] : []))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}
