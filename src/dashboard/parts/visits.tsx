/** Appointments as lines of a day, each with what can be done about it. */
import type { ComponentChildren } from 'preact';
import type { AppointmentStatus } from '../../contract/appointments.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { isOpen } from '../../facility/care.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Visit } from '../../facility/day.ts';
import { freesPlace, requiresPlace } from '../../facility/event-type.ts';
import { followFocus } from '../follow-focus.ts';
import { clockText, dateText, dayKey, spaced } from '../times.ts';
import { canWork, changeAppointment, done, tellFailure, workHref } from '../work.ts';
import { CustomerLink, PhoneLink } from './facts.tsx';
import { Button, useAction } from './form.tsx';
import { Tag } from './page.tsx';

interface LineProps {
  /** The day of the list: other days are named. */
  readonly date: string;
  readonly hasLinks?: boolean;
  /** The page is the car's. */
  readonly isOfCar?: boolean;
}

export const Visits = ({ visits, ...line }: LineProps & { readonly visits: readonly Visit[] }) => (
  <ul class="visits">
    {visits.map((visit, at) => (
      <VisitLine
        key={visit.appointment.id}
        visit={visit}
        isAgain={visit.appointment.startAt === visits[at - 1]?.appointment.startAt}
        {...line}
      />
    ))}
  </ul>
);

const kindOf = ({ type }: Visit) => type?.name ?? type?.value ?? 'Appointment';

/** `HH-RS 73`, or what the appointment is called without a car. */
const subjectOf = (visit: Visit) =>
  visit.car ? titleOf(visit.car) : (visit.appointment.title ?? kindOf(visit));

function VisitLine({
  visit,
  date,
  hasLinks = true,
  isOfCar,
  isAgain,
}: LineProps & {
  readonly visit: Visit;
  /** Starts when the one above it does. */
  readonly isAgain: boolean;
}) {
  const { appointment, car, customer, place, location, late } = visit;
  const { id, startAt, status } = appointment;
  const isOtherDay = startAt !== null && dayKey(startAt) !== date;
  const hasWork = hasLinks && canWork() && isOpen(appointment);
  return (
    <li data-visit={id}>
      <span class={isAgain ? 'when quiet' : 'when'}>
        {isOtherDay ? `${dateText(startAt)}, ` : ''}
        {startAt ? clockText(startAt) : ''}
      </span>
      <span class="what">
        {!isOfCar &&
          (hasLinks && car ? (
            <a class="plate" href={`/dashboard/cars/${car.id}`}>
              {titleOf(car)}
            </a>
          ) : (
            <span class="plate">{car ? titleOf(car) : (appointment.title ?? 'No car')}</span>
          ))}
        <span> {kindOf(visit)}</span>
        {!isOfCar && (
          <span class="quiet about">
            {dotted(
              car && carName(car),
              customer &&
                (hasLinks ? <CustomerLink customer={customer} /> : customerName(customer)),
              hasLinks && customer?.phone && <PhoneLink customer={customer} />,
              place?.name,
              location?.name,
            )}
          </span>
        )}
      </span>
      {hasWork && <VisitWork key={status} visit={visit} />}
      {/* Accept and Decline say that it waits for them. */}
      {!(hasWork && status === 'pending_approval') && (
        <span class="state-tag">
          {late ? (
            <Tag kind="bad">{lateText(late)}</Tag>
          ) : (
            <Tag {...(status === 'completed' ? { kind: 'good' } : {})}>{spaced(status)}</Tag>
          )}
        </span>
      )}
    </li>
  );
}

/** Those that are there, with dots between them. */
export const dotted = (...parts: readonly ComponentChildren[]): ComponentChildren =>
  parts.filter(Boolean).map((part, index) => (
    <>
      {index > 0 && ' · '}
      {part}
    </>
  ));

/** What the appointment is for, while it can still be done, else its next state; and another time. */
function VisitWork({ visit }: { readonly visit: Visit }) {
  const { appointment, car, type } = visit;
  const { id, status } = appointment;
  const isHere = car?.status === 'stored';
  const work =
    !car || !type
      ? undefined
      : requiresPlace(type) && !isHere
        ? 'drop-off'
        : freesPlace(type) && isHere
          ? 'pick-up'
          : undefined;
  const isWaiting = status === 'scheduled' || status === 'accepted';
  const text = work === 'drop-off' ? 'Drop off…' : 'Pick up…';
  const next = (label: string, to: AppointmentStatus) => (
    <StatusButton visit={visit} label={label} to={to} />
  );
  return (
    <span class="actions">
      {status === 'pending_approval' ? (
        <>
          {next('Accept', 'accepted')}
          {next('Decline', 'declined')}
        </>
      ) : work && car && status !== 'in_progress' ? (
        <a
          class="button small"
          href={workHref(work, { car: car.id, appointment: id })}
          aria-label={`${text} ${titleOf(car)}`}
        >
          {text}
        </a>
      ) : isWaiting ? (
        next('Check in', 'checked_in')
      ) : (
        next('Complete', 'completed')
      )}
      <a
        class="button small plain"
        href={workHref('reschedule', { appointment: id })}
        aria-label={`Another time for ${subjectOf(visit)}…`}
      >
        Time…
      </a>
    </span>
  );
}

interface StatusProps {
  readonly visit: Visit;
  readonly label: string;
  readonly to: AppointmentStatus;
}

function StatusButton({ visit, label, to }: StatusProps) {
  const { id } = visit.appointment;
  const change = useAction(async () => {
    try {
      await changeAppointment(id, { status: to });
      done.value = { text: `${subjectOf(visit)}: ${spaced(to)}.` };
      followFocus(`[data-visit="${id}"] :is(button, a)`, 'main h1');
    } catch (error) {
      tellFailure(error);
    }
  });
  return (
    <Button
      class="small"
      aria-label={`${label} ${subjectOf(visit)}`}
      disabled={change.isRunning}
      // The second click of a double click would meet the button of the next state.
      onClick={({ detail }) => detail < 2 && change.run()}
    >
      {label}
    </Button>
  );
}

function lateText({ reason, lateMinutes }: NonNullable<Visit['late']>): string {
  const [hours, days] = [Math.floor(lateMinutes / 60), Math.floor(lateMinutes / 1440)];
  const length = days > 1 ? `${days} days` : hours > 0 ? `${hours} h` : `${lateMinutes} min`;
  return reason === 'not_checked_in' ? `late ${length}` : `not completed, ${length}`;
}
