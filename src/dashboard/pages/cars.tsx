/** The cars of the team: searched, filtered and sorted here, since all of them are read. */
import { useEffect, useRef } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import { sortedByTitle } from '../../facility/board.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { type Places, readCars, readCustomers, readPlaces } from '../facility-reader.ts';
import { matches } from '../matches.ts';
import { CustomerLink } from '../parts/facts.tsx';
import { Filter, LocationFilter, SearchField } from '../parts/filter.tsx';
import { Button } from '../parts/form.tsx';
import { smallHref } from '../parts/gallery.tsx';
import { Icon } from '../parts/icons.tsx';
import { Data, Empty, Page } from '../parts/page.tsx';
import { type Column, csvOf, downloadCsv, sortedRows, Table } from '../parts/table.tsx';
import { inParts, readAll } from '../read.ts';
import { asked, go, withQuery } from '../router.ts';
import { plural, spaced } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const perPage = 100;
const statuses = [
  ['', 'All cars'],
  ['stored', 'Stored'],
  ['expected', 'Expected'],
  ['checked_out', 'Checked out'],
  ['archived', 'Archived'],
] as const;

const photoChoices = [
  ['', 'Any photos'],
  ['none', 'Without photos'],
] as const;

interface Row {
  readonly car: records.Car;
  readonly owner: records.Customer | undefined;
  readonly place: string;
  readonly locationId: string | undefined;
}

interface Found {
  readonly rows: readonly Row[];
  readonly locations: Places['locations'];
  /** The first photo of each car that has one; null where browsers can't show it. */
  readonly covers: ReadonlyMap<string, string | null>;
}

async function readRows(): Promise<Found> {
  const [cars, customers, places] = await Promise.all([readCars(), readCustomers(), readPlaces()]);
  const covers = await Promise.all(
    inParts([...cars.keys()]).map((ids) => readAll('team/covers', { ids: ids.join() })),
  );
  const rows = sortedByTitle([...cars.values()]).map((car): Row => {
    const spot = places.spots.get(car.parkingSpotId ?? '');
    return {
      car,
      owner: customers.get(car.customerId ?? ''),
      place: places.textOf(car) ?? '',
      locationId: (spot ?? places.zones.get(car.parkingZoneId ?? ''))?.locationId,
    };
  });
  return {
    rows,
    locations: places.locations,
    covers: new Map(covers.flat().map(({ id, photoId }) => [id, photoId])),
  };
}

const ownerTexts = (owner: Row['owner']) =>
  owner ? [customerName(owner), owner.companyName, owner.email, owner.phone] : [];

/** Those that the address asks for. */
function wantedOf({ rows, covers }: Found): readonly Row[] {
  const [q, status, location, photos] = ['q', 'status', 'location', 'photos'].map(asked);
  return rows.filter(
    ({ car, owner, locationId }) =>
      (!status || car.status === status) &&
      (!location || locationId === location) &&
      (!photos || !covers.has(car.id)) &&
      (!q ||
        matches(q, [car.licensePlate, car.vin, car.nickname, carName(car), ...ownerTexts(owner)])),
  );
}

export function CarsPage() {
  const loaded = useLoaded('cars', readRows, { live: true });
  const { data } = loaded;
  const rows = data && sortedRows(columnsWith(data.covers), wantedOf(data));
  return (
    <Page
      title="Cars"
      beside={
        <p class="quiet" aria-live="polite">
          {rows && plural(rows.length, 'car')}
        </p>
      }
    >
      <search class="bar">
        <SearchField label="Plate, owner, make, VIN or nickname" />
        <Filter label="Status" name="status" options={statuses} />
        <LocationFilter of={[...(data?.locations.values() ?? [])]} />
        <Filter label="Photos" name="photos" options={photoChoices} />
        <Button
          disabled={!rows?.length}
          onClick={() => downloadCsv('cars.csv', csvOf(columnsWith(), rows ?? []))}
        >
          CSV
        </Button>
      </search>
      <Data
        of={loaded}
        show={({ covers, rows: all }) => (
          <CarList rows={rows ?? []} covers={covers} isEmpty={all.length === 0} />
        )}
      />
    </Page>
  );
}

interface ListProps extends Pick<Found, 'rows' | 'covers'> {
  readonly isEmpty: boolean;
}

function CarList({ rows, covers, isEmpty }: ListProps) {
  const end = useRef<HTMLAnchorElement>(null);
  const pages = Math.max(1, Number(asked('pages')) || 1);
  const hasMore = rows.length > pages * perPage;
  const more = withQuery({ pages: String(pages + 1) });
  // The next page is shown when its link comes into view.
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && go(more, { replace: true }),
      { rootMargin: '200px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, more]);
  if (isEmpty)
    return (
      <Empty title="No cars yet">
        <p>
          Add the first one with <code>cs cars create</code>, then drop it off here.
        </p>
      </Empty>
    );
  if (rows.length === 0)
    return (
      <Empty title="No car matches">
        <p>
          <a href="/dashboard/cars">Show all cars</a>
        </p>
      </Empty>
    );
  return (
    <div class="stack">
      <Table
        caption="Cars"
        columns={columnsWith(covers)}
        rows={rows.slice(0, pages * perPage)}
        keyOf={({ car }) => car.id}
      />
      {hasMore && (
        <a class="button" href={more} ref={end}>
          Show more
        </a>
      )}
    </div>
  );
}

const columnsWith = (covers: Found['covers'] = new Map()) =>
  [
    {
      title: 'Plate',
      value: ({ car }: Row) => titleOf(car),
      // The plate beside the photo says which car it is.
      cell: ({ car }: Row) => {
        const photoId = covers.get(car.id);
        return (
          <span class="with-photo">
            {photoId ? (
              <img src={smallHref(photoId, 320)} alt="" loading="lazy" width={64} height={48} />
            ) : (
              <span class="no-photo">
                <Icon name="cars" />
              </span>
            )}
            <a
              class={car.licensePlate ? 'plate tight' : 'plate'}
              href={`/dashboard/cars/${car.id}`}
            >
              {titleOf(car)}
            </a>
          </span>
        );
      },
    },
    {
      title: 'Car',
      value: ({ car }: Row) => carName(car),
      cell: ({ car }: Row) => [
        carName(car),
        car.nickname && car.nickname !== titleOf(car) && (
          <span class="quiet"> “{car.nickname}”</span>
        ),
      ],
    },
    {
      title: 'Owner',
      value: ({ owner }: Row) => (owner ? customerName(owner) : ''),
      cell: ({ owner }: Row) => <CustomerLink customer={owner} />,
    },
    { title: 'Place', value: ({ place }: Row) => place, cell: ({ place }: Row) => place },
    {
      title: 'Status',
      value: ({ car }: Row) => spaced(car.status),
      cell: ({ car }: Row) => <span class="quiet tight">{spaced(car.status)}</span>,
    },
  ] as const satisfies readonly Column<Row>[];
