/** The day: who is late, who comes next, what is done. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Arrival, Visit } from '../../facility/day.ts';
import { type DayReport, dayReader } from '../day-reader.ts';
import { type Child, h } from '../h.ts';
import { Icon } from '../parts/icons.ts';
import { Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.ts';
import { Visits } from '../parts/visits.ts';
import { useLoaded } from '../read.ts';
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
  return isDay(date) ? h(DayPage, { date, today }) : h(NoSuchDay, { asked: date });
}

function NoSuchDay({ asked }: { readonly asked: string }): VNode {
  return h(
    Page,
    { title: 'No such day' },
    h(
      Empty,
      { title: `“${asked}” is not a date` },
      h('p', null, 'A date looks like 2026-11-22.'),
      h('a', { class: 'button', href: withQuery({ date: undefined }) }, 'Go to today'),
    ),
  );
}

function DayPage({ date, today }: { readonly date: string; readonly today: string }): VNode {
  const day = useDay(date, { isWall: false });
  const other = (days: number) => {
    const shifted = shiftDay(date, days);
    return withQuery({ date: shifted === today ? undefined : shifted });
  };
  return h(
    Page,
    {
      title: date === today ? 'Today' : dayText(startOfDay(date)),
      beside: h(
        'div',
        { class: 'bar' },
        // Nothing happens live on another day.
        date === today
          ? h(LiveSign, { at: day.at })
          : h('p', { class: 'quiet about' }, day.at && `as of ${clockText(day.at)}`),
        h(
          'a',
          { class: 'button square', href: other(-1), 'aria-label': 'The day before' },
          h(Icon, { name: 'back' }),
        ),
        date !== today &&
          h('a', { class: 'button', href: withQuery({ date: undefined }) }, 'Today'),
        h(
          'a',
          { class: 'button square', href: other(1), 'aria-label': 'The day after' },
          h(Icon, { name: 'next' }),
        ),
      ),
    },
    date === today && h('p', { class: 'quiet' }, dayText(startOfDay(date))),
    h(PaperLine, { at: day.at }),
    h(Data<DayReport>, { of: day, show: (report) => h(Day, { report, isToday: date === today }) }),
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
  const section = (title: string, visits: readonly Visit[]): Child =>
    visits.length > 0 &&
    h(
      'section',
      { class: 'card' },
      h('h2', null, `${title} (${numberText(visits.length)})`),
      h(Visits, { visits, date }),
    );
  const cars = (title: string, arrivals: readonly Arrival[]): Child =>
    arrivals.length > 0 &&
    h(
      'section',
      { class: 'card' },
      h('h2', null, `${title} (${numberText(arrivals.length)})`),
      h(
        'ul',
        { class: 'visits' },
        ...arrivals.map(({ car, customer, place, session }) =>
          h(
            'li',
            { key: car.id },
            h('span', { class: 'when' }, session.startedAt && clockText(session.startedAt)),
            h(
              'span',
              { class: 'what' },
              h('a', { class: 'plate', href: `/dashboard/cars/${car.id}` }, titleOf(car)),
              place ? ` ${place.name}` : '',
              h(
                'span',
                { class: 'quiet about' },
                [carName(car), customer && customerName(customer)].filter(Boolean).join(' · '),
              ),
            ),
          ),
        ),
      ),
    );
  const isEmpty = [late, next, done, walkIns, withoutPhotos, waitingForApproval].every(
    (some) => some.length === 0,
  );
  if (isEmpty)
    return h(
      Empty,
      { title: 'Nothing on this day' },
      h(
        'p',
        null,
        isToday ? 'No appointments, nobody late, every car has photos.' : 'No appointments.',
      ),
    );
  return h(
    'div',
    { class: 'stack' },
    section('Late', late),
    section('Next', next),
    late.length + next.length === 0 && h(Empty, { title: 'Nothing left to do on this day' }),
    section('Waiting for approval', waitingForApproval),
    cars('Without an appointment', walkIns),
    cars('Without photos', withoutPhotos),
    done.length > 0 &&
      h(
        'details',
        { class: 'more' },
        h('summary', null, `Done: ${plural(done.length, 'appointment')}`),
        h(Visits, { visits: done, date }),
      ),
  );
}
