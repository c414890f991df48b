/** The cars of the team, found by plate, owner, make, VIN or nickname. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { placeReader } from '../day-reader.ts';
import { smallHref } from '../parts/gallery.tsx';
import { Icon } from '../parts/icons.tsx';
import { Data, Empty, Page } from '../parts/page.tsx';
import { Select } from '../parts/select.tsx';
import { inParts, readByIds, readPage } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { team } from '../team.ts';
import { numberText, plural } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

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
  readonly owned: Owned;
  readonly placeOf: (car: records.Car) => string | undefined;
  /** The id of the first photo of each car that has one. */
  readonly covers: ReadonlyMap<string, string>;
}

/** The cars of customers that match. */
interface Owned {
  readonly cars: readonly records.Car[];
  /** By the id of the customer. */
  readonly owners: ReadonlyMap<string, string>;
  /** Too many customers match to read their cars. */
  readonly isCut: boolean;
}

/** The most that one request can name. */
const mostOwners = 200;
const nobody: Owned = { cars: [], owners: new Map(), isCut: false };

async function readOwned(q: string, status: string, signal: AbortSignal): Promise<Owned> {
  if (q === '') return nobody;
  const { data, total } = await readPage('customers', { q, limit: mostOwners }, signal);
  if (data.length === 0) return nobody;
  if (total > mostOwners) return { ...nobody, isCut: true };
  const ids = data.map(({ id }) => id).join();
  const owned = await team.all('owned-cars', { ids }, signal);
  const cars = await readByIds(
    'cars',
    owned.flatMap(({ carIds }) => carIds),
    signal,
  );
  return {
    ...nobody,
    cars: [...cars.values()].filter((car) => status === '' || car.status === status),
    owners: new Map(data.map((customer) => [customer.id, customerName(customer)])),
  };
}

async function readCars(
  q: string,
  status: string,
  pages: number,
  signal: AbortSignal,
): Promise<Found> {
  const [owned, ...read] = await Promise.all([
    readOwned(q, status, signal),
    ...Array.from({ length: pages }, (_, index) =>
      readPage('cars', { q, status, page: index + 1, limit: perPage }, signal),
    ),
  ]);
  // A car that changes its page between two answers is shown once.
  const cars = [...new Map(read.flatMap(({ data }) => data).map((car) => [car.id, car])).values()];
  const shown = [...owned.cars, ...cars];
  const [placeOf, covers] = await Promise.all([
    placeReader(shown, signal),
    Promise.all(
      inParts(shown.map(({ id }) => id)).map((ids) =>
        team.all('covers', { ids: ids.join() }, signal),
      ),
    ),
  ]);
  return {
    cars,
    owned,
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
  return (
    <Page
      title="Cars"
      beside={
        <p class="quiet" aria-live="polite">
          {data ? totalText(data) : ''}
        </p>
      }
    >
      <search class="bar">
        <Search value={q} />
        <Select
          label="Status"
          value={status}
          options={statuses}
          onInput={(value) => go(withQuery({ status: value, pages: undefined }))}
        />
      </search>
      <Data<Found>
        of={{ ...found, data }}
        show={(shown) => (
          <CarList {...shown} pages={pages} isFiltered={q !== '' || status !== ''} />
        )}
      />
    </Page>
  );
}

const totalText = ({ total, owned }: Found): string =>
  owned.cars.length === 0
    ? plural(total, 'car')
    : `${plural(owned.cars.length, 'car')} by owner${total > 0 ? `, ${numberText(total)} more` : ''}`;

/** Searches when the typing rests. */
function Search({ value }: { readonly value: string }): VNode {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(value);
  const search = (wanted: string) => {
    searched.current = wanted.trim();
    go(withQuery({ q: searched.current, pages: undefined }), { replace: true });
  };
  // A link or Back has changed what is searched.
  useEffect(() => {
    if (value === searched.current) return;
    clearTimeout(timer.current);
    searched.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="field wide">
      <label for="q">Plate, owner, make, VIN or nickname</label>
      <input
        id="q"
        type="search"
        name="q"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const wanted = event.currentTarget.value;
          setText(wanted);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(wanted), 250);
        }}
      />
    </div>
  );
}

function CarList({
  cars,
  total,
  owned,
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
  if (cars.length + owned.cars.length === 0 && !owned.isCut)
    return isFiltered ? (
      <Empty title="No car matches">
        <p>
          <a href="/dashboard/cars">Show all cars</a>
        </p>
      </Empty>
    ) : (
      <Empty title="No cars yet">
        <p>
          They come with <code>cs dropoff</code> or <code>cs cars create</code>.
        </p>
      </Empty>
    );
  const rows = (some: readonly records.Car[]) => (
    <ul class="rows card">
      {some.map((car) => (
        <li key={car.id}>
          <a href={`/dashboard/cars/${car.id}`}>
            <Cover photoId={covers.get(car.id)} />
            <span class="plate">{titleOf(car)}</span>
            <span>{aboutCar(car, owned.owners.get(car.customerId ?? ''))}</span>
            <span class="quiet">{placeOf(car) ?? car.status.replaceAll('_', ' ')}</span>
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <div class="stack">
      {owned.isCut && (
        <p class="notice">
          More than {mostOwners} customers match. Type more of the name to see their cars.
        </p>
      )}
      {owned.cars.length > 0 && (
        <>
          <h2>By owner</h2>
          {rows(owned.cars)}
        </>
      )}
      {cars.length > 0 && (
        <>
          {owned.cars.length > 0 && <h2>By plate, make, VIN or nickname</h2>}
          {rows(cars)}
        </>
      )}
      {hasMore && (
        <a class="button" href={more} ref={end}>
          Show more
        </a>
      )}
    </div>
  );
}

/** `1973 Porsche 911 “Ducktail” · Ada Lovelace`. */
const aboutCar = (car: records.Car, owner: string | undefined): string =>
  [
    [carName(car), car.nickname && car.nickname !== titleOf(car) && `“${car.nickname}”`]
      .filter(Boolean)
      .join(' '),
    owner,
  ]
    .filter(Boolean)
    .join(' · ');

/** The plate beside it says which car it is. */
const Cover = ({ photoId }: { readonly photoId: string | undefined }): VNode =>
  photoId === undefined ? (
    <span class="no-photo">
      <Icon name="cars" />
    </span>
  ) : (
    <img src={smallHref(photoId, 320)} alt="" loading="lazy" width={64} height={48} />
  );
