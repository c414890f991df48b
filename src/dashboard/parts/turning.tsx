/** What is larger than its half of a wall, shown in turns: each time it scrolls on to the first row that wasn't seen whole. Its headings stay above (theme.css). */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const turnMs = 12_000;

/** `of` is what is shown. */
export function Turning({
  of,
  children,
}: {
  readonly of: unknown;
  readonly children?: ComponentChildren;
}) {
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
  // Before it is painted, so that nothing jumps.
  useLayoutEffect(() => void show(), [of]);
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
