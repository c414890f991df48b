/** The cars of the team, found by plate, name or VIN. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { placeReader } from '../day-reader.ts';
import { h } from '../h.ts';
import { smallHref } from '../parts/gallery.ts';
import { Icon } from '../parts/icons.ts';
import { Data, Empty, Page } from '../parts/page.ts';
import { Select } from '../parts/select.ts';
import { inParts, readPage, useLoaded } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { team } from '../team.ts';
import { plural } from '../times.ts';

const perPage = 50;
const statuses = [
  ['', 'All cars'],
  ['stored', 'Stored'],
  ['expected', 'Expected'],
  ['checked_out', 'Checked out'],
  ['archived', 'Archived'],
] as const;

interface Found {
  readonly cars: readonly records.Car[];
  readonly total: number;
  readonly placeOf: (car: records.Car) => string | undefined;
  /** The id of the first photo of each car that has one. */
  readonly covers: ReadonlyMap<string, string>;
}

async function readCars(
  q: string,
  status: string,
  pages: number,
  signal: AbortSignal,
): Promise<Found> {
  const read = await Promise.all(
    Array.from({ length: pages }, (_, index) =>
      readPage('cars', { q, status, page: index + 1, limit: perPage }, signal),
    ),
  );
  // A car that changes its page between two answers is shown once.
  const cars = [...new Map(read.flatMap(({ data }) => data).map((car) => [car.id, car])).values()];
  const [placeOf, covers] = await Promise.all([
    placeReader(cars, signal),
    Promise.all(
      inParts(cars.map(({ id }) => id)).map((ids) =>
        team.all('covers', { ids: ids.join() }, signal),
      ),
    ),
  ]);
  return {
    cars,
    total: read[0]?.total ?? 0,
    placeOf,
    covers: new Map(covers.flat().map(({ id, photoId }) => [id, photoId])),
  };
}

export function CarsPage(): VNode {
  const [q, status] = [query.value.get('q') ?? '', query.value.get('status') ?? ''];
  const pages = Math.max(1, Math.min(40, Number(query.value.get('pages')) || 1));
  const found = useLoaded(
    `cars ${q} ${status} ${pages}`,
    (signal) => readCars(q, status, pages, signal),
    { live: true },
  );
  // While more is read, what is there stays.
  const last = useRef<{ key: string; data: Found }>(undefined);
  const key = `${q} ${status}`;
  if (found.data) last.current = { key, data: found.data };
  const data = found.data ?? (last.current?.key === key ? last.current.data : undefined);
  return h(
    Page,
    {
      title: 'Cars',
      beside: h(
        'p',
        { class: 'quiet', 'aria-live': 'polite' },
        data ? plural(data.total, 'car') : '',
      ),
    },
    h(
      'div',
      { class: 'bar', role: 'search' },
      h(Search, { value: q }),
      h(Select, {
        label: 'Status',
        value: status,
        options: statuses,
        onInput: (value) => go(withQuery({ status: value, pages: undefined })),
      }),
    ),
    h(Data<Found>, {
      of: { ...found, data },
      show: (shown) => h(CarList, { ...shown, pages, isFiltered: q !== '' || status !== '' }),
    }),
  );
}

/** Searches when the typing rests. */
function Search({ value }: { readonly value: string }): VNode {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (wanted: string) =>
    go(withQuery({ q: wanted.trim(), pages: undefined }), { replace: true });
  useEffect(() => () => clearTimeout(timer.current), []);
  return h(
    'div',
    { class: 'field wide' },
    h('label', { for: 'q' }, 'Plate, name, VIN or make'),
    h('input', {
      ...{
        id: 'q',
        type: 'search',
        name: 'q',
        value: text,
        autocomplete: 'off',
        spellcheck: false,
      },
      onInput: (event) => {
        const wanted = event.currentTarget.value;
        setText(wanted);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => search(wanted), 250);
      },
    }),
  );
}

function CarList({
  cars,
  total,
  placeOf,
  covers,
  pages,
  isFiltered,
}: Found & { readonly pages: number; readonly isFiltered: boolean }): VNode {
  const end = useRef<HTMLAnchorElement>(null);
  const hasMore = cars.length < total;
  const more = withQuery({ pages: String(pages + 1) });
  // The next page is loaded when its link comes into view.
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && go(more, { replace: true }),
      { rootMargin: '200px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, more, cars.length]);
  if (cars.length === 0)
    return isFiltered
      ? h(
          Empty,
          { title: 'No car matches' },
          h('p', null, h('a', { href: '/dashboard/cars' }, 'Show all cars')),
        )
      : h(
          Empty,
          { title: 'No cars yet' },
          h(
            'p',
            null,
            'They come with ',
            h('code', null, 'cs dropoff'),
            ' or ',
            h('code', null, 'cs cars create'),
            '.',
          ),
        );
  return h(
    'div',
    { class: 'stack' },
    h(
      'ul',
      { class: 'rows card' },
      ...cars.map((car) =>
        h(
          'li',
          { key: car.id },
          h(
            'a',
            { href: `/dashboard/cars/${car.id}` },
            h(Cover, { photoId: covers.get(car.id) }),
            h('span', { class: 'plate' }, titleOf(car)),
            h(
              'span',
              null,
              [
                carName(car),
                car.nickname && car.nickname !== titleOf(car) ? `“${car.nickname}”` : '',
              ]
                .filter(Boolean)
                .join(' '),
            ),
            h('span', { class: 'quiet' }, placeOf(car) ?? car.status.replaceAll('_', ' ')),
          ),
        ),
      ),
    ),
    hasMore && h('a', { class: 'button', href: more, ref: end }, 'Show more'),
  );
}

/** The plate beside it says which car it is. */
const Cover = ({ photoId }: { readonly photoId: string | undefined }): VNode =>
  photoId === undefined
    ? h('span', { class: 'no-photo' }, h(Icon, { name: 'cars' }))
    : h('img', { src: smallHref(photoId, 320), alt: '', loading: 'lazy', width: 64, height: 48 });
