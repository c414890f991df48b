/** Appointments as lines of a day. */
import type { VNode } from 'preact';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Visit } from '../../facility/day.ts';
import { freesPlace, requiresPlace } from '../../facility/event-type.ts';
import { clockText, dateText, dayKey } from '../times.ts';
import { canWork, workHref } from '../work.ts';
import { Tag } from './page.tsx';

interface Props {
  readonly visits: readonly Visit[];
  /** The day of the list: other days are named. */
  readonly date: string;
  readonly hasLinks?: boolean;
}

export const Visits = ({ visits, date, hasLinks = true }: Props): VNode => (
  <ul class="visits">
    {visits.map((visit) => (
      <VisitLine key={visit.appointment.id} visit={visit} date={date} hasLinks={hasLinks} />
    ))}
  </ul>
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
  return (
    <li>
      <span class="when">
        {isOtherDay ? `${dateText(startAt)}, ` : ''}
        {startAt ? clockText(startAt) : ''}
      </span>
      <span class="what">
        {car ? (
          hasLinks ? (
            <a class="plate" href={`/dashboard/cars/${car.id}`}>
              {titleOf(car)}
            </a>
          ) : (
            <span class="plate">{titleOf(car)}</span>
          )
        ) : (
          <span class="plate">{title ?? 'No car'}</span>
        )}
        <span> {type?.name ?? type?.value ?? 'Appointment'}</span>
        <span class="quiet about">
          {[car && carName(car), customer && customerName(customer), place?.name, location?.name]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {hasLinks && canWork() && <VisitWork visit={visit} />}
      <span class="state-tag">
        {late ? (
          <Tag kind="bad">{lateText(late)}</Tag>
        ) : (
          <Tag {...(status === 'completed' ? { kind: 'good' } : {})}>
            {status.replaceAll('_', ' ')}
          </Tag>
        )}
      </span>
    </li>
  );
}

/** What the appointment is for, while it can still be done. */
function VisitWork({ visit: { appointment, car, type } }: { readonly visit: Visit }): VNode | null {
  const { id, status } = appointment;
  const isOpen = ['scheduled', 'accepted', 'checked_in'].includes(status);
  if (!isOpen || !car || !type) return null;
  const isHere = car.status === 'stored';
  const work =
    requiresPlace(type) && !isHere
      ? 'drop-off'
      : freesPlace(type) && isHere
        ? 'pick-up'
        : undefined;
  const text = work === 'drop-off' ? 'Drop off…' : 'Pick up…';
  return work ? (
    <a
      class="button small"
      href={workHref(work, { car: car.id, appointment: id })}
      aria-label={`${text} ${titleOf(car)}`}
    >
      {text}
    </a>
  ) : null;
}

function lateText({ reason, lateMinutes }: NonNullable<Visit['late']>): string {
  const [hours, days] = [Math.floor(lateMinutes / 60), Math.floor(lateMinutes / 1440)];
  const length = days > 1 ? `${days} days` : hours > 0 ? `${hours} h` : `${lateMinutes} min`;
  return reason === 'not_checked_in' ? `late ${length}` : `not completed, ${length}`;
}
