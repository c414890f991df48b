/** One car: its newest photo, where it is, what comes next, its photos by visit, and what happened. */
import type * as records from '../../contract/records.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { isOpen } from '../../facility/care.ts';
import type { Visit } from '../../facility/day.ts';
import { readVisits } from '../facility-reader.ts';
import { type CarVisit, type Happened, readCarVisits, readHistory } from '../history.ts';
import { CustomerLink, type Fact, Facts, PhoneLink } from '../parts/facts.tsx';
import { Gallery } from '../parts/gallery.tsx';
import { History } from '../parts/history.tsx';
import { RecordPage } from '../parts/page.tsx';
import { PhotoField } from '../parts/photo-field.tsx';
import { Visits } from '../parts/visits.tsx';
import { sendPhotos } from '../photos.ts';
import { readByIds, readOne } from '../read.ts';
import { isPhoneOfPanel } from '../session.ts';
import { dateText, dayKey, numberText, spaced } from '../times.ts';
import { canWork, workHref, workTitles } from '../work.ts';

interface CarFacts {
  readonly car: records.Car;
  readonly place: string | undefined;
  /** When the car came to its place. */
  readonly since: string | undefined;
  readonly customer: records.Customer | undefined;
  readonly happened: readonly Happened[];
  readonly visits: readonly CarVisit[];
  /** Of the newest visit: photos go there. */
  readonly session: records.EventSession | undefined;
  /** The appointments that are still open. */
  readonly next: readonly Visit[];
}

async function readCar(id: string): Promise<CarFacts | null> {
  const car = await readOne('cars', id);
  if (!car) return null;
  const [{ happened, assignments, places }, photos, appointments, customers] = await Promise.all([
    readHistory(car),
    readCarVisits(id),
    readVisits([{ carId: id }]),
    readByIds('customers', [car.customerId]),
  ]);
  return {
    car,
    happened,
    ...photos,
    place: places.textOf(car),
    since: assignments.find(({ endedAt }) => endedAt === null)?.startedAt,
    customer: customers.get(car.customerId ?? ''),
    next: appointments.filter(({ appointment }) => isOpen(appointment)),
  };
}

export function CarPage() {
  return (
    <RecordPage
      kind="car"
      back={{ href: '/dashboard/cars', text: 'Cars' }}
      read={readCar}
      title={({ car }) => titleOf(car)}
      beside={({ car }) => canWork() && <CarWork car={car} />}
      show={(facts) => <About {...facts} />}
    />
  );
}

/** What can be done with the car now. */
const CarWork = ({ car: { id, status } }: { readonly car: records.Car }) => (
  <div class="bar">
    <a class="button" href={`/dashboard/sheets/${id}`} target="_blank" rel="noopener">
      Print sheet
    </a>
    {(status === 'stored'
      ? (['move', 'pick-up'] as const)
      : status === 'archived'
        ? []
        : (['drop-off'] as const)
    ).map((kind) => (
      <a
        key={kind}
        class={kind === 'move' ? 'button' : 'button primary'}
        href={workHref(kind, { car: id })}
      >
        {workTitles[kind]}…
      </a>
    ))}
  </div>
);

function About({ car, place, since, customer, happened, visits, session, next }: CarFacts) {
  const where = place ? `${place}${since ? `, since ${dateText(since)}` : ''}` : spaced(car.status);
  const facts: Fact[] = [
    [place ? 'Place' : 'Status', <strong>{where}</strong>],
    ['Car', [carName(car), car.trim].filter(Boolean).join(' ')],
    ['Nickname', car.nickname !== titleOf(car) && car.nickname],
    ['Customer', customer && <CustomerLink customer={customer} />],
    ['Phone', customer?.phone && <PhoneLink customer={customer} />],
    ['Colour', car.color],
    ['VIN', car.vin],
    ['Mileage', car.mileage === null ? null : numberText(car.mileage)],
    ['Notes', car.notes],
  ];
  return (
    <div class="stack">
      <Gallery title={titleOf(car)} carId={car.id} visits={visits}>
        <div class="stack">
          <Facts of={facts} />
          {next.length > 0 && (
            <section aria-labelledby="next">
              <h2 id="next">Next</h2>
              <Visits visits={next.slice(0, 3)} date={dayKey(new Date())} isOfCar />
            </section>
          )}
          {canWork() && (
            <PhotoField
              label="Add photos"
              about={`Or drop them here: they go to ${session?.startedAt ? `the visit of ${dateText(session.startedAt)}` : 'the car'}. Where they were taken is left out.`}
              onFiles={(files) =>
                sendPhotos({ id: car.id, title: titleOf(car) }, session?.id ?? null, files)
              }
              beside={
                !isPhoneOfPanel() && (
                  <a class="button" href={workHref('phone', { car: car.id })}>
                    From a phone…
                  </a>
                )
              }
            />
          )}
        </div>
      </Gallery>
      <History of={happened} />
    </div>
  );
}
