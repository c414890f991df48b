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
import { readAll, readByIds, readOne } from '../read.ts';
import { path } from '../router.ts';
import { dateText, numberText, plural, timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

interface CarFacts {
  readonly car: records.Car;
  readonly place: string | undefined;
  /** When the car came to its place. */
  readonly since: string | undefined;
  readonly customer: records.Customer | undefined;
  readonly events: readonly { readonly event: records.CarEvent; readonly type: string }[];
  readonly visits: readonly Visited[];
}

async function readCar(id: string, signal: AbortSignal): Promise<CarFacts | 'none'> {
  const car = await readOne('cars', id, signal);
  if (!car) return 'none';
  const [events, photos, types, sessions, assignments, placeOf, customers] = await Promise.all([
    readAll(`cars/${id}/events`, {}, signal),
    readAll(`cars/${id}/photos`, {}, signal),
    readAll('event-types', {}, signal),
    readAll('event-sessions', { carId: id }, signal),
    readAll('parking/assignments', { carId: id, active: 'true' }, signal),
    placeReader([car], signal),
    readByIds('customers', [car.customerId], signal),
  ]);
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
    since: assignments[0]?.startedAt,
    customer: customers.get(car.customerId ?? ''),
    events: events
      .toSorted((a, b) => timeOf(b.occurredAt) - timeOf(a.occurredAt))
      .map((event) => ({ event, type: typeNames.get(event.eventTypeId) ?? event.activityType })),
    visits,
  };
}

export function CarPage(): VNode {
  const id = path.value.split('/')[1] ?? '';
  const loaded = useLoaded(`car ${id}`, (signal) => readCar(id, signal), { live: true });
  const car = loaded.data && loaded.data !== 'none' ? loaded.data.car : undefined;
  return (
    <Page title={car ? titleOf(car) : 'Car'} back={{ href: '/dashboard/cars', text: 'Cars' }}>
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

function About({ car, place, since, customer, events, visits }: CarFacts): VNode {
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
      <section aria-labelledby="events" class="card">
        <h2 id="events">{plural(events.length, 'event')}</h2>
        {events.length === 0 ? (
          <p class="quiet">Nothing happened with this car yet.</p>
        ) : (
          <ol class="visits" reversed>
            {events.map(({ event, type }) => (
              <li key={event.id}>
                <span class="when">{event.occurredAt ? timeText(event.occurredAt) : ''}</span>
                <span class="what">
                  <strong>{type}</strong>
                  {event.notes && <span class="quiet about">{event.notes}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}
