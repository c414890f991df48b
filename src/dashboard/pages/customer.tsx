/** A customer: how to reach them, their cars, appointments, and what happened with the cars. */
import type * as records from '../../contract/records.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { isOpen } from '../../facility/care.ts';
import { customerName } from '../../facility/customer-name.ts';
import type { Visit } from '../../facility/day.ts';
import { readPlaces, readVisits } from '../facility-reader.ts';
import { type Happened, newestFirst, readHistory } from '../history.ts';
import { Facts, PhoneLink } from '../parts/facts.tsx';
import { History } from '../parts/history.tsx';
import { Card, Empty, RecordPage } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { Visits } from '../parts/visits.tsx';
import { readAll, readOne } from '../read.ts';
import { dayKey, plural, spaced } from '../times.ts';

interface CustomerFacts {
  readonly customer: records.Customer;
  readonly cars: readonly records.Car[];
  readonly placeOf: (car: records.Car) => string | undefined;
  readonly visits: readonly Visit[];
  /** Undefined for a fleet. */
  readonly happened: readonly Happened[] | undefined;
}

/** The most cars whose histories and appointments are read together. */
const mostCars = 20;

async function readCustomer(id: string): Promise<CustomerFacts | null> {
  const customer = await readOne('customers', id);
  if (!customer) return null;
  const cars = await readAll('cars', { customerId: id });
  const isFleet = cars.length > mostCars;
  // An appointment may name the car alone.
  const ofCars = isFleet ? [] : cars.map((car) => ({ carId: car.id }));
  const [visits, places, histories] = await Promise.all([
    readVisits([{ customerId: id }, ...ofCars]),
    readPlaces(),
    isFleet ? undefined : Promise.all(cars.map((car) => readHistory(car))),
  ]);
  return {
    customer,
    cars,
    visits,
    placeOf: places.textOf,
    happened: histories && newestFirst(histories.flatMap(({ happened }) => happened)),
  };
}

export function CustomerPage() {
  return (
    <RecordPage
      kind="customer"
      back={{ href: '/dashboard/cars', text: 'Cars' }}
      read={readCustomer}
      title={({ customer }) => customerName(customer)}
      show={(facts) => <About {...facts} />}
    />
  );
}

function About({ customer, cars, placeOf, visits, happened }: CustomerFacts) {
  const { email, address, companyName, notes, tags } = customer;
  const [next, past] = [
    visits.filter(({ appointment }) => isOpen(appointment)),
    visits.filter(({ appointment }) => !isOpen(appointment)).toReversed(),
  ];
  const today = dayKey(new Date());
  return (
    <div class="stack">
      <Facts
        class="card"
        of={[
          ['Phone', customer.phone && <PhoneLink customer={customer} />],
          ['E-mail', email && <a href={`mailto:${email}`}>{email}</a>],
          ['Company', companyName !== customerName(customer) && companyName],
          [
            'Address',
            address &&
              Object.values(address)
                .filter((part) => typeof part === 'string')
                .join(', '),
          ],
          ['Tags', tags.join(', ')],
          ['Notes', notes],
        ]}
      />
      {cars.length === 0 ? (
        <Empty title="No cars yet" />
      ) : (
        <Table
          caption="Cars"
          keyOf={({ id }) => id}
          rows={cars}
          columns={[
            {
              title: 'Plate',
              cell: (car) => (
                <a class="plate" href={`/dashboard/cars/${car.id}`}>
                  {titleOf(car)}
                </a>
              ),
            },
            { title: 'Car', cell: carName },
            { title: 'Place', cell: (car) => placeOf(car) ?? spaced(car.status) },
          ]}
        />
      )}
      {next.length > 0 && (
        <Card title="Appointments">
          <Visits visits={next} date={today} />
        </Card>
      )}
      {past.length > 0 && (
        <details class="more">
          <summary>Earlier: {plural(past.length, 'appointment')}</summary>
          <Visits visits={past} date={today} />
        </details>
      )}
      {happened ? (
        <History of={happened} hasCars />
      ) : (
        <p class="quiet">
          The history of each car, and appointments that name no customer, are on its page.
        </p>
      )}
    </div>
  );
}
