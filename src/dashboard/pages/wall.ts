/** The board and the day for a display on a wall: dark, large, without a hand. */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BoardZone } from '../../facility/board.ts';
import type { Visit } from '../../facility/day.ts';
import type { DayReport } from '../day-reader.ts';
import { type Child, h } from '../h.ts';
import { liveness } from '../live.ts';
import { Data, Empty } from '../parts/page.ts';
import { Turning } from '../parts/turning.ts';
import { Visits } from '../parts/visits.ts';
import { Zones } from '../parts/zones.ts';
import type { Loaded } from '../read.ts';
import { query } from '../router.ts';
import { askSession, session } from '../session.ts';
import { clockText, dayText, numberText, secondsText } from '../times.ts';
import { siteName, sitesOf, totalsText, useBoard } from './board.ts';
import { useDay, useToday } from './today.ts';

const askMs = 10_000;
const staleMs = 10_000;

export function WallPage(): VNode {
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
  return h(
    'main',
    { class: 'wall', id: 'content' },
    h(
      'header',
      { class: 'head' },
      h('h1', { tabIndex: -1 }, session.value?.team.name ?? ''),
      h('p', { class: 'clock' }, `${dayText(now)}, ${clockText(now)}`),
    ),
    isStale &&
      h(
        'p',
        { class: 'strip', role: 'alert' },
        `${isOver(heardAt) ? 'No connection' : 'Not up to date'}. As of ${secondsText(asOf)}.`,
      ),
    h(
      'div',
      { class: 'halves' },
      h(Data<readonly BoardZone[]>, {
        of: board,
        hasNote: !isStale,
        show: (zones) => h(WallBoard, { zones, location }),
      }),
      h(Data<DayReport>, { of: day, hasNote: !isStale, show: (report) => h(WallDay, { report }) }),
    ),
    h(
      'footer',
      null,
      isStale ? '' : `as of ${secondsText(asOf)}`,
      h('span', null, board.data?.length ? totalsText(board.data) : ''),
    ),
  );
}

function WallDay({ report }: { readonly report: DayReport }): VNode {
  const { late, next, date } = report;
  const part = (title: string, visits: readonly Visit[]): Child =>
    visits.length > 0 &&
    h(
      'div',
      { class: 'zone' },
      h('h3', null, `${title} (${numberText(visits.length)})`),
      h(Visits, { visits, date, hasLinks: false }),
    );
  return h(
    Turning,
    { of: report },
    h(
      'section',
      { class: 'site day' },
      h('h2', null, 'Today'),
      part('Late', late),
      part('Next', next),
      late.length + next.length === 0 && h('p', { class: 'quiet' }, 'Nothing left to do today.'),
    ),
  );
}

function WallBoard({
  zones,
  location,
}: {
  readonly zones: readonly BoardZone[];
  readonly location: string | null;
}): VNode {
  const board = useMemo(
    () => zones.filter((zone) => !location || zone.location.id === location),
    [zones, location],
  );
  if (board.length === 0)
    return h(Empty, {
      title: location ? 'No zones and spots at this location' : 'No zones and spots yet',
    });
  return h(
    Turning,
    { of: board },
    ...sitesOf(board).map((zones) =>
      h(
        'section',
        { class: 'site', key: zones[0]?.location.id ?? 'none' },
        h('h2', null, siteName(zones)),
        h(Zones, { zones, carHref: undefined }),
      ),
    ),
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
        const { data } = await askSession(AbortSignal.timeout(askMs));
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
