/** What is larger than its half of a wall, in pages that take turns: rows of tiles or lines of the day, each page with its headings. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const pageMs = 12_000;

/** `of` is what is shown: when it changes, the pages are made again. */
export function Turning({
  of,
  children,
}: {
  readonly of: unknown;
  readonly children?: ComponentChildren;
}): VNode {
  const element = useRef<HTMLDivElement>(null);
  const page = useRef(0);
  const show = () => {
    if (element.current) page.current = showPage(element.current, page.current);
  };
  useEffect(() => {
    const timer = setInterval(() => {
      page.current += 1;
      show();
    }, pageMs);
    const size = new ResizeObserver(show);
    if (element.current) size.observe(element.current);
    return () => {
      clearInterval(timer);
      size.disconnect();
    };
  }, []);
  // Before it is painted, so that nothing jumps.
  useLayoutEffect(show, [of]);
  return (
    <div class="turning" ref={element}>
      {children}
    </div>
  );
}

/** A row of tiles, or a line of the day, or a zone without any, and what stands above it. */
interface Row {
  readonly site: Element;
  readonly zone: Element;
  readonly items: readonly Element[];
  readonly top: number;
  bottom: number;
  /** The row is the first of its zone, and the zone the first of its location. */
  readonly startsZone: boolean;
  readonly startsSite: boolean;
}

const boxOf = (element: Element) => element.getBoundingClientRect();

/** Leaves only this page on the screen, or the first one after the last. Returns its number. */
function showPage(element: HTMLElement, wanted: number): number {
  const all = [...element.querySelectorAll('.site, .zone, .zone ul, .zone li')];
  for (const one of all) one.classList.remove('later', 'continued');
  fillRows([...element.querySelectorAll<HTMLElement>('.tiles')]);
  // Without a limit of its height, such as on a phone, all of it is shown.
  if (element.scrollHeight <= element.clientHeight + 1) return 0;
  // Measured with the longer headings.
  for (const one of all) one.classList.add('continued');
  const pages = pagesOf(rowsOf(element), element.clientHeight);
  const number = wanted < pages.length ? wanted : 0;
  const shown = pages[number] ?? [];
  const kept = new Set(
    shown.flatMap(({ site, zone, items }) => [
      site,
      zone,
      ...items,
      ...items.map((item) => item.parentElement),
    ]),
  );
  const [first] = shown;
  const continued = [
    first && !first.startsSite && first.site,
    first && !first.startsZone && first.zone,
  ];
  for (const one of all) {
    one.classList.toggle('later', !kept.has(one));
    one.classList.toggle('continued', continued.includes(one));
  }
  return number;
}

/** As many rows as are needed, each as full as the others: six tiles, of which five fit, become three and three. */
function fillRows(lists: readonly HTMLElement[]): void {
  for (const { style } of lists) style.gridTemplateColumns = '';
  const columns = lists.map((list) => {
    const fitting = getComputedStyle(list).gridTemplateColumns.split(' ').length;
    const rows = Math.ceil(list.childElementCount / fitting);
    // Few tiles aren't stretched over the whole row.
    return Math.max(Math.ceil(list.childElementCount / rows), Math.ceil(fitting / 2));
  });
  for (const [index, { style }] of lists.entries())
    style.gridTemplateColumns = `repeat(${columns[index]}, minmax(0, 1fr))`;
}

function rowsOf(element: HTMLElement): Row[] {
  return [...element.querySelectorAll('.site')].flatMap((site) =>
    [...site.querySelectorAll('.zone')].flatMap((zone, zoneAt) => {
      const rows: (Row & { readonly items: Element[] })[] = [];
      const add = (part: Element, items: Element[]) => {
        const { top, bottom } = boxOf(part);
        const startsZone = rows.length === 0;
        rows.push({
          site,
          zone,
          items,
          top,
          bottom,
          startsZone,
          startsSite: startsZone && zoneAt === 0,
        });
      };
      for (const item of zone.querySelectorAll('li')) {
        const row = rows.at(-1);
        if (!row || boxOf(item).top >= row.bottom) add(item, [item]);
        else {
          row.items.push(item);
          row.bottom = Math.max(row.bottom, boxOf(item).bottom);
        }
      }
      if (rows.length === 0) add(zone, []);
      return rows;
    }),
  );
}

/** As many rows on each page as fit. A zone that doesn't fit below others starts a page, unless it is larger than one. */
function pagesOf(rows: readonly Row[], height: number): Row[][] {
  const ends = new Map(rows.map(({ zone, bottom }) => [zone, bottom]));
  const pages: Row[][] = [];
  for (const row of rows) {
    const page = pages.at(-1);
    const [first] = page ?? [];
    const end = ends.get(row.zone) as number;
    const isKept = row.startsZone && headsOf(row) + end - row.top <= height;
    if (page && first && headsOf(first) + (isKept ? end : row.bottom) - first.top <= height)
      page.push(row);
    else pages.push([row]);
  }
  return pages;
}

/** The height of the headings above a row that starts a page. */
function headsOf({ site, zone, top, startsZone }: Row): number {
  const [firstZone] = site.getElementsByClassName('zone');
  const head = (firstZone ? boxOf(firstZone).top : 0) - boxOf(site).top;
  const [firstItem] = zone.getElementsByTagName('li');
  return head + (startsZone ? top : firstItem ? boxOf(firstItem).top : top) - boxOf(zone).top;
}
