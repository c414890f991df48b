/** The board and the day for a display on a wall: dark, large, without a hand. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BoardZone } from '../../facility/board.ts';
import type { Visit } from '../../facility/day.ts';
import type { DayReport } from '../day-reader.ts';
import { currentBuild, heardAt } from '../live-updates.ts';
import { Data, Empty } from '../parts/page.tsx';
import { Visits } from '../parts/visits.tsx';
import { Zones } from '../parts/zones.tsx';
import { query } from '../router.ts';
import { session } from '../session.ts';
import { clockText, dayText, numberText, secondsText } from '../times.ts';
import type { Loaded } from '../use-loaded.ts';
import { siteName, sitesOf, totalsText, useBoard } from './board.tsx';
import { useDay, useToday } from './today.tsx';

const staleMs = 10_000;
const reloadMs = 5_000;

export function WallPage() {
  const board = useBoard();
  const day = useDay(useToday(), { isWall: true });
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  // A newer build of the page is loaded, with a pause: services of two builds may answer in turn.
  const isOld = currentBuild.value !== undefined && currentBuild.value !== session.value?.build;
  useEffect(() => {
    if (!isOld) return;
    const timer = setTimeout(() => window.location.reload(), reloadMs);
    return () => clearTimeout(timer);
  }, [isOld]);
  const asOf = useAsOf([board, day]);
  const isOver = (time: Date) => now.getTime() - time.getTime() > staleMs;
  const isStale = isOver(asOf);
  const location = query.value.get('location');
  document.title = `Wall · ${session.value?.team.name ?? ''}`;
  return (
    <main class="wall" id="content">
      <header class="head">
        <h1 tabIndex={-1}>{session.value?.team.name ?? ''}</h1>
        <p class="clock">
          {dayText(now)}, {clockText(now)}
        </p>
      </header>
      {isStale && (
        <p class="strip" role="alert">
          {isOver(heardAt.value) ? 'No connection' : 'Not up to date'}. As of {secondsText(asOf)}.
        </p>
      )}
      <div class="halves">
        <Data
          of={board}
          hasNote={!isStale}
          show={(zones) => <WallBoard zones={zones} location={location} />}
        />
        <Data of={day} hasNote={!isStale} show={(report) => <WallDay report={report} />} />
      </div>
      <footer>
        {isStale ? '' : `as of ${secondsText(asOf)}`}
        <span>{board.data?.length ? totalsText(board.data) : ''}</span>
      </footer>
    </main>
  );
}

function WallDay({ report }: { readonly report: DayReport }) {
  const { late, next, date } = report;
  const part = (title: string, visits: readonly Visit[]): ComponentChildren =>
    visits.length > 0 && (
      <div class="zone">
        <h3>{`${title} (${numberText(visits.length)})`}</h3>
        <Visits visits={visits} date={date} hasLinks={false} />
      </div>
    );
  return (
    <Turning>
      <section class="site day">
        <h2>Today</h2>
        {part('Late', late)}
        {part('Next', next)}
        {late.length + next.length === 0 && <p class="quiet">Nothing left to do today.</p>}
      </section>
    </Turning>
  );
}

function WallBoard({
  zones,
  location,
}: {
  readonly zones: readonly BoardZone[];
  readonly location: string | null;
}) {
  const board = useMemo(
    () => zones.filter((zone) => !location || zone.location.id === location),
    [zones, location],
  );
  if (board.length === 0)
    return (
      <Empty title={location ? 'No zones and spots at this location' : 'No zones and spots yet'} />
    );
  return (
    <Turning>
      {sitesOf(board).map((zones) => (
        <section key={zones[0]?.location.id ?? 'none'} class="site">
          <h2>{siteName(zones)}</h2>
          <Zones zones={zones} carHref={undefined} />
        </section>
      ))}
    </Turning>
  );
}

/** Until when all that is shown was right: when it was read, and as long as the service answers and tells no change. */
function useAsOf(shown: readonly Loaded<unknown>[]): Date {
  const known = useRef(heardAt.value);
  const isCurrent = shown.every((one) => one.isCurrent);
  const read = Math.min(...shown.map(({ at }) => at?.getTime() ?? 0));
  known.current = new Date(
    Math.max(known.current.getTime(), read, isCurrent ? heardAt.value.getTime() : 0),
  );
  return known.current;
}

const turnMs = 12_000;

/** Shows what is larger than its half in turns: each time it scrolls on to the first row that wasn't seen whole. Its headings stay above (theme.css). */
function Turning({ children }: { readonly children?: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const show = (isTurn = false) => element.current && showRows(element.current, isTurn);
  useEffect(() => {
    const timer = setInterval(() => show(true), turnMs);
    const size = new ResizeObserver(() => show());
    if (element.current) size.observe(element.current);
    return () => {
      clearInterval(timer);
      size.disconnect();
    };
  }, []);
  // After all that the page writes: the note above takes rows away, and gives them back. Before it is painted, so that nothing jumps.
  useLayoutEffect(() => void show());
  return (
    <div class="turning" ref={element}>
      {children}
    </div>
  );
}

/** Rows that don't fit are hidden until their turn comes. After the last one it starts again. */
function showRows(element: HTMLElement, isTurn: boolean): void {
  const rows = [...element.querySelectorAll('li, .zone:not(:has(li))')];
  const isCut = (row: Element) =>
    row.getBoundingClientRect().bottom > element.getBoundingClientRect().bottom + 1;
  if (isTurn) {
    const next = rows.find(isCut);
    if (next) next.scrollIntoView({ behavior: 'instant' });
    else element.scrollTop = 0;
  }
  // On a phone, all of it is shown: there it isn't limited, and the page scrolls.
  for (const row of rows) row.classList.toggle('later', isCut(row));
}
