/** One car: where it is, its photos by visit, and what happened. */
import type { VNode } from 'preact';
import type * as records from '../../contract/records.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { timeOf } from '../../facility/day.ts';
import { placeReader } from '../day-reader.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Gallery, type Visited } from '../parts/gallery.tsx';
import { Data, Empty, Page } from '../parts/page.tsx';
import { PhotoField } from '../parts/photo-field.tsx';
import { sendPhotos } from '../photos.ts';
import { readAll, readByIds, readOne } from '../read.ts';
import { path } from '../router.ts';
import { actorText } from '../team.ts';
import { dateText, numberText, timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { canWork, placeIdOf, workHref } from '../work.ts';

interface CarFacts {
  readonly car: records.Car;
  readonly place: string | undefined;
  /** When the car came to its place. */
  readonly since: string | undefined;
  readonly customer: records.Customer | undefined;
  readonly history: readonly Happened[];
  readonly visits: readonly Visited[];
  /** Of the newest visit: photos go there. */
  readonly session: records.EventSession | undefined;
}

async function readCar(id: string, signal: AbortSignal): Promise<CarFacts | 'none'> {
  const car = await readOne('cars', id, signal);
  if (!car) return 'none';
  const [events, photos, types, sessions, assignments, customers] = await Promise.all([
    readAll(`cars/${id}/events`, {}, signal),
    readAll(`cars/${id}/photos`, {}, signal),
    readAll('event-types', {}, signal),
    readAll('event-sessions', { carId: id }, signal),
    readAll('parking/assignments', { carId: id }, signal),
    readByIds('customers', [car.customerId], signal),
  ]);
  const placeOf = await placeReader([car, ...assignments], signal);
  const typeNames = new Map(types.map((type) => [type.id, type.name ?? type.value]));
  const bySession = Map.groupBy(photos, ({ sessionId }) => sessionId);
  const visits = [...bySession]
    .map(([sessionId, some]): Visited => {
      const session = sessions.find((one) => one.id === sessionId);
      const type = session && typeNames.get(session.eventTypeId);
      return {
        title: [session?.startedAt && dateText(session.startedAt), type ?? 'Photos']
          .filter(Boolean)
          .join(' '),
        at: session?.startedAt ?? null,
        // In the order in which they were taken in.
        photos: some.toReversed(),
      };
    })
    .sort((a, b) => timeOf(b.at) - timeOf(a.at));
  return {
    car,
    place: placeOf(car),
    since: assignments.find(({ endedAt }) => endedAt === null)?.startedAt,
    customer: customers.get(car.customerId ?? ''),
    history: historyOf({ car, events, assignments, typeNames, placeOf }),
    visits,
    session: sessions
      .filter(({ status }) => status === 'open')
      .toSorted((a, b) => timeOf(b.startedAt) - timeOf(a.startedAt))[0],
  };
}

interface Happened {
  readonly id: string;
  readonly at: string | null;
  readonly what: string;
  readonly notes: string | null;
  readonly place: string | undefined;
  /** Whose key or account it was. */
  readonly who: string | null;
  /** Of the place that the latest move left. */
  readonly back?: string | undefined;
}

interface HistoryRecords {
  readonly car: records.Car;
  readonly events: readonly records.CarEvent[];
  readonly assignments: readonly records.ParkingAssignment[];
  readonly typeNames: ReadonlyMap<string, string>;
  readonly placeOf: Awaited<ReturnType<typeof placeReader>>;
}

/** Events and moves, newest first. A move is a parking that no event started. */
function historyOf(all: HistoryRecords): Happened[] {
  const { car, events, assignments, typeNames, placeOf } = all;
  const byId = new Map(assignments.map((one) => [one.id, one]));
  const parks = ({ parkingSpotId, parkingZoneId }: records.CarEvent) =>
    parkingSpotId !== null || parkingZoneId !== null;
  const started = new Set(
    events.filter(parks).map(({ parkingAssignmentId }) => parkingAssignmentId),
  );
  const logged = events.map((event): Happened => {
    const parking = byId.get(event.parkingAssignmentId ?? '');
    return {
      id: event.id,
      at: event.occurredAt,
      what: typeNames.get(event.eventTypeId) ?? event.activityType,
      notes: event.notes,
      place: parking && placeOf(parking),
      who: (parks(event) ? parking?.startedByKey : parking?.endedByKey) ?? null,
    };
  });
  const moves = assignments
    .filter(({ id }) => !started.has(id))
    .map((parking): Happened => {
      const before = assignments.find(({ endedAt }) => endedAt === parking.startedAt);
      const isLatest = parking.endedAt === null && placeIdOf(parking) === placeIdOf(car);
      return {
        id: parking.id,
        at: parking.startedAt,
        what: before ? `Moved from ${placeOf(before) ?? 'another place'}` : 'Parked',
        notes: parking.notes,
        place: placeOf(parking),
        who: parking.startedByKey,
        back: isLatest && before ? placeIdOf(before) : undefined,
      };
    });
  return [...logged, ...moves].sort((a, b) => timeOf(b.at) - timeOf(a.at));
}

export function CarPage(): VNode {
  const id = path.value.split('/')[1] ?? '';
  const loaded = useLoaded(`car ${id}`, (signal) => readCar(id, signal), { live: true });
  const car = loaded.data && loaded.data !== 'none' ? loaded.data.car : undefined;
  return (
    <Page
      title={car ? titleOf(car) : 'Car'}
      back={{ href: '/dashboard/cars', text: 'Cars' }}
      beside={car && canWork() && <CarWork car={car} />}
    >
      <Data<CarFacts | 'none'>
        of={loaded}
        show={(data) =>
          data === 'none' ? (
            <Empty title="No such car">
              <p>This team has no car with this address.</p>
            </Empty>
          ) : (
            <About {...data} />
          )
        }
      />
    </Page>
  );
}

/** What can be done with the car now. */
const CarWork = ({ car }: { readonly car: records.Car }): VNode => (
  <div class="bar">
    {car.status === 'stored' ? (
      <>
        <a class="button" href={workHref('move', { car: car.id })}>
          Move…
        </a>
        <a class="button" href={workHref('pick-up', { car: car.id })}>
          Pick up…
        </a>
      </>
    ) : (
      car.status !== 'archived' && (
        <a class="button primary" href={workHref('drop-off', { car: car.id })}>
          Drop off…
        </a>
      )
    )}
  </div>
);

function About({ car, place, since, customer, history, visits, session }: CarFacts): VNode {
  const where = place
    ? `${place}${since ? `, since ${dateText(since)}` : ''}`
    : car.status.replaceAll('_', ' ');
  const facts: Fact[] = [
    ['Car', [carName(car), car.trim].filter(Boolean).join(' ')],
    ['Place', where],
    ['Nickname', car.nickname],
    ['Colour', car.color],
    ['VIN', car.vin],
    ['Mileage', car.mileage === null ? null : numberText(car.mileage)],
    ['Customer', customer && customerName(customer)],
    ['Notes', car.notes],
  ];
  return (
    <div class="stack">
      <Facts class="card" of={facts} />
      <Gallery title={titleOf(car)} carId={car.id} visits={visits} />
      {canWork() && (
        <PhotoField
          label="Add photos"
          about={`Or drop them here: they go to ${session?.startedAt ? `the visit of ${dateText(session.startedAt)}` : 'the car'}. Where they were taken is left out.`}
          onFiles={(files) =>
            sendPhotos({ id: car.id, title: titleOf(car) }, session?.id ?? null, files)
          }
        />
      )}
      <section aria-labelledby="events" class="card">
        <h2 id="events">History</h2>
        {history.length === 0 ? (
          <p class="quiet">Nothing happened with this car yet.</p>
        ) : (
          <ol class="visits" reversed>
            {history.map(({ id, at, what, notes, place, who, back }) => (
              <li key={id}>
                <span class="when">{at ? timeText(at) : ''}</span>
                <span class="what">
                  <strong>{what}</strong>
                  <span class="quiet about">
                    {[place, notes, who && `by ${actorText(who)}`].filter(Boolean).join(' · ')}
                  </span>
                </span>
                {back && canWork() && (
                  <a class="button small" href={workHref('move', { car: car.id, place: back })}>
                    Move back…
                  </a>
                )}
              </li>
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}
