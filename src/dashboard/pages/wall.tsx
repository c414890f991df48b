/** The board and the day for a display on a wall: dark, large, without a hand. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BoardZone } from '../../facility/board.ts';
import type { Visit } from '../../facility/day.ts';
import type { DayReport } from '../day-reader.ts';
import { liveness } from '../live-updates.ts';
import { Data, Empty } from '../parts/page.tsx';
import { Turning } from '../parts/turning.tsx';
import { Visits } from '../parts/visits.tsx';
import { Zones } from '../parts/zones.tsx';
import { query } from '../router.ts';
import { askSession, session } from '../session.ts';
import { clockText, dayText, numberText, secondsText } from '../times.ts';
import type { Loaded } from '../use-loaded.ts';
import { siteName, sitesOf, totalsText, useBoard } from './board.tsx';
import { useDay, useToday } from './today.tsx';

const askMs = 10_000;
const staleMs = 10_000;

export function WallPage() {
  const board = useBoard();
  const day = useDay(useToday(), { isWall: true });
  const [now, setNow] = useState(() => new Date());
  const heardAt = useHeardAt();
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  const asOf = useAsOf([board, day], heardAt);
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
          {isOver(heardAt) ? 'No connection' : 'Not up to date'}. As of {secondsText(asOf)}.
        </p>
      )}
      <div class="halves">
        <Data<readonly BoardZone[]>
          of={board}
          hasNote={!isStale}
          show={(zones) => <WallBoard zones={zones} location={location} />}
        />
        <Data<DayReport>
          of={day}
          hasNote={!isStale}
          show={(report) => <WallDay report={report} />}
        />
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
    <Turning of={report}>
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
    <Turning of={board}>
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
function useAsOf(shown: readonly Loaded<unknown>[], heardAt: Date): Date {
  const known = useRef(heardAt);
  const isCurrent = liveness.value === 'live' && shown.every((one) => one.isCurrent);
  const read = Math.min(...shown.map(({ at }) => at?.getTime() ?? 0));
  known.current = new Date(
    Math.max(known.current.getTime(), read, isCurrent ? heardAt.getTime() : 0),
  );
  return known.current;
}

/** When the service last answered. A newer build of the page is loaded at once. */
function useHeardAt(): Date {
  const [at, setAt] = useState(() => new Date());
  useEffect(() => {
    const build = session.value?.build;
    const timer = setInterval(async () => {
      try {
        const { data } = await askSession();
        setAt(new Date());
        // Also without a session: the page to sign in.
        if (data?.build !== build) location.reload();
      } catch {
        // The time of the last answer says it.
      }
    }, askMs / 2);
    return () => clearInterval(timer);
  }, []);
  return at;
}
