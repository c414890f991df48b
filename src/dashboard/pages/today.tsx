/** The day: who is late, who comes next, what is done. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Arrival, Visit } from '../../facility/day.ts';
import { type DayReport, dayReader } from '../day-reader.ts';
import { Icon } from '../parts/icons.tsx';
import { Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.tsx';
import { Visits } from '../parts/visits.tsx';
import { query, withQuery } from '../router.ts';
import {
  clockText,
  dayKey,
  dayText,
  isDay,
  minuteMs,
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

export function TodayPage(): VNode {
  const today = useToday();
  const date = query.value.get('date') || today;
  return isDay(date) ? <DayPage date={date} today={today} /> : <NoSuchDay asked={date} />;
}

function NoSuchDay({ asked }: { readonly asked: string }): VNode {
  return (
    <Page title="No such day">
      <Empty title={`“${asked}” is not a date`}>
        <p>A date looks like 2026-11-22.</p>
        <a class="button" href={withQuery({ date: undefined })}>
          Go to today
        </a>
      </Empty>
    </Page>
  );
}

function DayPage({ date, today }: { readonly date: string; readonly today: string }): VNode {
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
      <Data<DayReport>
        of={day}
        show={(report) => <Day report={report} isToday={date === today} />}
      />
    </Page>
  );
}

function Day({
  report,
  isToday,
}: {
  readonly report: DayReport;
  readonly isToday: boolean;
}): VNode {
  const { date, late, next, done, walkIns, withoutPhotos, waitingForApproval } = report;
  const section = (title: string, visits: readonly Visit[]): ComponentChildren =>
    visits.length > 0 && (
      <section class="card">
        <h2>
          {title} ({numberText(visits.length)})
        </h2>
        <Visits visits={visits} date={date} />
      </section>
    );
  const cars = (title: string, arrivals: readonly Arrival[]): ComponentChildren =>
    arrivals.length > 0 && (
      <section class="card">
        <h2>
          {title} ({numberText(arrivals.length)})
        </h2>
        <ul class="visits">
          {arrivals.map(({ car, customer, place, session }) => (
            <li key={car.id}>
              <span class="when">{session.startedAt && clockText(session.startedAt)}</span>
              <span class="what">
                <a class="plate" href={`/dashboard/cars/${car.id}`}>
                  {titleOf(car)}
                </a>
                {place ? ` ${place.name}` : ''}
                <span class="quiet about">
                  {[carName(car), customer && customerName(customer)].filter(Boolean).join(' · ')}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    );
  const isEmpty = [late, next, done, walkIns, withoutPhotos, waitingForApproval].every(
    (some) => some.length === 0,
  );
  if (isEmpty)
    return (
      <Empty title="Nothing on this day">
        <p>
          {isToday ? 'No appointments, nobody late, every car has photos.' : 'No appointments.'}
        </p>
      </Empty>
    );
  return (
    <div class="stack">
      {section('Late', late)}
      {section('Next', next)}
      {late.length + next.length === 0 && <Empty title="Nothing left to do on this day" />}
      {section('Waiting for approval', waitingForApproval)}
      {cars('Without an appointment', walkIns)}
      {cars('Without photos', withoutPhotos)}
      {done.length > 0 && (
        <details class="more">
          <summary>Done: {plural(done.length, 'appointment')}</summary>
          <Visits visits={done} date={date} />
        </details>
      )}
    </div>
  );
}
