/** The day: who is late, who comes next, what is done. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { carName, titleOf } from '../../facility/car-names.ts';
import type { Arrival, Visit } from '../../facility/day.ts';
import { type DayReport, dayReader } from '../day-reader.ts';
import { CustomerLink } from '../parts/facts.tsx';
import { LocationFilter } from '../parts/filter.tsx';
import { Icon } from '../parts/icons.tsx';
import { Card, Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.tsx';
import { dotted, Visits } from '../parts/visits.tsx';
import { asked, withQuery } from '../router.ts';
import {
  clockText,
  dayKey,
  dayText,
  isDay,
  localTime,
  minuteMs,
  momentOf,
  numberText,
  plural,
  shiftDay,
  startOfDay,
} from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

/** A day takes more requests than a board, and changes less. */
const paceMs = 5_000;

/** Read again each minute as well, since time makes appointments late. */
export function useDay(date: string, options: { readonly isWall: boolean }) {
  const read = useMemo(() => dayReader(date, options), [date]);
  const day = useLoaded(`day ${date}`, read, { live: true, paceMs });
  useEffect(() => {
    const timer = setInterval(day.reload, minuteMs);
    return () => clearInterval(timer);
  }, [date]);
  return day;
}

/** The team's day of now, which changes at midnight. */
export function useToday(): string {
  const [today, setToday] = useState(() => dayKey(new Date()));
  useEffect(() => {
    const timer = setInterval(() => setToday(dayKey(new Date())), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return today;
}

export function TodayPage() {
  const today = useToday();
  const date = asked('date') || today;
  return isDay(date) ? <DayPage date={date} today={today} /> : <NoSuchDay given={date} />;
}

function NoSuchDay({ given }: { readonly given: string }) {
  return (
    <Page title="No such day">
      <Empty title={`“${given}” is not a date`}>
        <p>A date looks like 2026-11-22.</p>
        <a class="button" href={withQuery({ date: undefined })}>
          Go to today
        </a>
      </Empty>
    </Page>
  );
}

function DayPage({ date, today }: { readonly date: string; readonly today: string }) {
  const day = useDay(date, { isWall: false });
  const other = (days: number) => {
    const shifted = shiftDay(date, days);
    return withQuery({ date: shifted === today ? undefined : shifted });
  };
  return (
    <Page
      title={date === today ? 'Today' : dayText(startOfDay(date))}
      beside={
        <div class="bar">
          {/* Nothing happens live on another day. */}
          {date === today ? (
            <LiveSign at={day.at} />
          ) : (
            <p class="quiet about">{day.at && `as of ${clockText(day.at)}`}</p>
          )}
          <a class="button square" href={other(-1)} aria-label="The day before">
            <Icon name="back" />
          </a>
          {date !== today && (
            <a class="button" href={withQuery({ date: undefined })}>
              Today
            </a>
          )}
          <a class="button square" href={other(1)} aria-label="The day after">
            <Icon name="next" />
          </a>
        </div>
      }
    >
      {date === today && <p class="quiet">{dayText(startOfDay(date))}</p>}
      <PaperLine at={day.at} />
      <Data of={day} show={(report) => <Day report={report} isToday={date === today} />} />
    </Page>
  );
}

/** What the address asks for: all of the day, or that of one location. */
function ofLocation(report: DayReport, location: string): DayReport {
  const isAt = ({ place }: Arrival | Visit) => place?.record.locationId === location;
  const isVisitAt = (visit: Visit) =>
    visit.appointment.locationId ? visit.appointment.locationId === location : isAt(visit);
  const { late, next, done, waitingForApproval, walkIns, withoutPhotos } = report;
  return {
    ...report,
    late: late.filter(isVisitAt),
    next: next.filter(isVisitAt),
    done: done.filter(isVisitAt),
    waitingForApproval: waitingForApproval.filter(isVisitAt),
    walkIns: walkIns.filter(isAt),
    withoutPhotos: withoutPhotos.filter(isAt),
  };
}

interface DayProps {
  readonly report: DayReport;
  readonly isToday: boolean;
}

function Day({ report: all, isToday }: DayProps) {
  const location = asked('location');
  const report = location ? ofLocation(all, location) : all;
  const { date, late, next, done, walkIns, withoutPhotos, waitingForApproval } = report;
  const startOf = ({ appointment: { startAt } }: Visit) => startAt ?? '';
  const today = late.filter((visit) => dayKey(startOf(visit)) === date);
  const earlier = late.filter((visit) => !today.includes(visit));
  const parts = [today, earlier, next, done, walkIns, withoutPhotos, waitingForApproval];
  return (
    <div class="stack">
      <div class="bar between">
        <p class="strong">{countsText(report)}</p>
        <LocationFilter of={[...all.locations.values()]} />
      </div>
      {parts.every((some) => some.length === 0) ? (
        <Empty title="Nothing on this day">
          <p>{isToday ? 'No appointments, nobody late, no photos missing.' : 'No appointments.'}</p>
        </Empty>
      ) : (
        <>
          <Section title="Waiting for approval" visits={waitingForApproval} date={date} />
          <Section title="Late" visits={today} date={date} />
          <Folded title="Late from earlier days" visits={earlier} date={date} />
          <Counted title="Next" of={next}>
            {[...Map.groupBy(next, (visit) => hourOf(startOf(visit)))].map(([hour, visits]) => (
              <div key={hour} class="hour">
                <h3 class="hidden">{hour && clockText(momentOf(hour))}</h3>
                <Visits visits={visits} date={date} />
              </div>
            ))}
          </Counted>
          {late.length + next.length === 0 && <Empty title="Nothing left to do on this day" />}
          <Came title="Without an appointment" arrivals={walkIns} />
          <Came title="Photos missing" arrivals={withoutPhotos} />
          <Folded title="Done" visits={done} date={date} />
        </>
      )}
    </div>
  );
}

/** `2026-11-22T14:00` in the zone. */
const hourOf = (startAt: string) => startAt && `${localTime(new Date(startAt)).slice(0, 13)}:00`;

const countsText = ({ late, next, done }: DayReport): string =>
  [
    late.length > 0 && `${numberText(late.length)} late`,
    `${numberText(next.length)} to come`,
    `${numberText(done.length)} done`,
  ]
    .filter(Boolean)
    .join(' · ');

interface CountedProps {
  readonly title: string;
  readonly of: readonly unknown[];
  readonly children: ComponentChildren;
}

interface ListProps {
  readonly title: string;
  readonly visits: readonly Visit[];
  readonly date: string;
}

const Counted = ({ title, of, children }: CountedProps) =>
  of.length === 0 ? null : (
    <Card title={title} count={of.length}>
      {children}
    </Card>
  );

const Section = ({ title, ...list }: ListProps) => (
  <Counted title={title} of={list.visits}>
    <Visits {...list} />
  </Counted>
);

const Folded = ({ title, ...list }: ListProps) =>
  list.visits.length === 0 ? null : (
    <details class="more">
      <summary>
        {title}: {plural(list.visits.length, 'appointment')}
      </summary>
      <Visits {...list} />
    </details>
  );

interface CameProps {
  readonly title: string;
  readonly arrivals: readonly (Arrival & { readonly missing?: readonly string[] })[];
}

const Came = ({ title, arrivals }: CameProps) => (
  <Counted title={title} of={arrivals}>
    <ul class="visits">
      {arrivals.map(({ car, customer, place, session, missing = [] }) => (
        <li key={car.id}>
          <span class="when">{session.startedAt && clockText(session.startedAt)}</span>
          <span class="what">
            <a class="plate" href={`/dashboard/cars/${car.id}`}>
              {titleOf(car)}
            </a>
            {place ? ` ${place.name}` : ''}
            <span class="quiet about">
              {dotted(
                carName(car),
                customer && <CustomerLink customer={customer} />,
                missing.join(', '),
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
  </Counted>
);
