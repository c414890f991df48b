/** Appointments as lines of a day. */
import type { VNode } from 'preact';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Visit } from '../../facility/day.ts';
import { h } from '../h.ts';
import { clockText, dateText, dayKey } from '../times.ts';
import { Tag } from './page.ts';

interface Props {
  readonly visits: readonly Visit[];
  /** The day of the list: other days are named. */
  readonly date: string;
  readonly hasLinks?: boolean;
}

export const Visits = ({ visits, date, hasLinks = true }: Props): VNode =>
  h(
    'ul',
    { class: 'visits' },
    ...visits.map((visit) => h(VisitLine, { key: visit.appointment.id, visit, date, hasLinks })),
  );

function VisitLine({
  visit,
  date,
  hasLinks,
}: {
  readonly visit: Visit;
  readonly date: string;
  readonly hasLinks: boolean;
}): VNode {
  const { appointment, car, customer, place, location, type, late } = visit;
  const { startAt, status, title } = appointment;
  const isOtherDay = startAt !== null && dayKey(startAt) !== date;
  return h(
    'li',
    null,
    h(
      'span',
      { class: 'when' },
      isOtherDay ? `${dateText(startAt)}, ` : '',
      startAt ? clockText(startAt) : '',
    ),
    h(
      'span',
      { class: 'what' },
      car
        ? hasLinks
          ? h('a', { class: 'plate', href: `/dashboard/cars/${car.id}` }, titleOf(car))
          : h('span', { class: 'plate' }, titleOf(car))
        : h('span', { class: 'plate' }, title ?? 'No car'),
      h('span', null, ` ${type?.name ?? type?.value ?? 'Appointment'}`),
      h(
        'span',
        { class: 'quiet about' },
        [car && carName(car), customer && customerName(customer), place?.name, location?.name]
          .filter(Boolean)
          .join(' · '),
      ),
    ),
    h(
      'span',
      { class: 'state-tag' },
      late
        ? h(Tag, { kind: 'bad' }, lateText(late))
        : h(Tag, status === 'completed' ? { kind: 'good' } : {}, status.replaceAll('_', ' ')),
    ),
  );
}

function lateText({ reason, lateMinutes }: NonNullable<Visit['late']>): string {
  const [hours, days] = [Math.floor(lateMinutes / 60), Math.floor(lateMinutes / 1440)];
  const length = days > 1 ? `${days} days` : hours > 0 ? `${hours} h` : `${lateMinutes} min`;
  return reason === 'not_checked_in' ? `late ${length}` : `not completed, ${length}`;
}
