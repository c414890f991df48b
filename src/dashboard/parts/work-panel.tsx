/** Beside the page: a car is dropped off, moved or picked up. Which car and how is in the address; what was typed outlives a reload. */
import { useMemo, useState } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import type { BoardZone } from '../../facility/board.ts';
import { carName, titleOf } from '../../facility/car-names.ts';
import { isOpen } from '../../facility/care.ts';
import { customerName } from '../../facility/customer-name.ts';
import { dueOn, type Visit } from '../../facility/day.ts';
import { freesPlace, requiresPlace } from '../../facility/event-type.ts';
import { forgetSent, keyFor, sentAs, useDraft } from '../drafts.ts';
import { boardReader, readVisits } from '../facility-reader.ts';
import { followFocus } from '../follow-focus.ts';
import { freePlaces, fullName, placeOn } from '../free-places.ts';
import { sendPhotos } from '../photos.ts';
import { readAll, readOne, readPage, write } from '../read.ts';
import { asked, askedId, go, idOf, withQuery } from '../router.ts';
import {
  clockText,
  dateText,
  dayKey,
  hourMs,
  localTime,
  momentOf,
  rangeOf,
  spaced,
  timeText,
} from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import {
  type CarWorkKind,
  changeAppointment,
  closeWork,
  done,
  moveCar,
  placeFields,
  placeIdOf,
  workHref,
  workKinds,
  workTitles,
} from '../work.ts';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { Button, Field, Form, Select, useAction } from './form.tsx';
import { Data } from './page.tsx';
import { PhoneLink } from './phone-link.tsx';
import { ChosenPhotos } from './photo-field.tsx';

export function WorkPanel() {
  const work = workKinds.find((kind) => kind === asked('do'));
  const carId = askedId('car');
  if (!work) return null;
  return (
    <Dialog key={work} title={workTitles[work]} onClose={closeWork} class="side">
      {work === 'phone' ? (
        <PhoneLink carId={carId} />
      ) : work === 'reschedule' ? (
        <Reschedule id={idOf(asked('appointment'))} />
      ) : carId ? (
        <CarWork key={carId} work={work} carId={carId} />
      ) : (
        <PickCar work={work} />
      )}
    </Dialog>
  );
}

/** Which car, where the panel was opened without one. */
function PickCar({ work }: { readonly work: CarWorkKind }) {
  const [q, setQ] = useState('');
  const isOut = work === 'drop-off';
  const found = useLoaded(`cars for ${work} ${q}`, async () => {
    const statuses = isOut ? ['expected', 'checked_out'] : ['stored'];
    const pages = await Promise.all(
      statuses.map((status) => readPage('cars', { q, status, limit: 8 })),
    );
    return pages.flatMap(({ data }) => data).slice(0, 8);
  });
  return (
    <div class="stack">
      <Field
        label="Which car? Plate, make, VIN or nickname"
        name="car"
        type="search"
        value={q}
        onInput={setQ}
        isFirst
      />
      <Data
        of={found}
        show={(cars) =>
          cars.length === 0 ? (
            <p class="quiet">
              No car matches{isOut ? ' that is not here already. A new one is added with ' : '.'}
              {isOut && <code>cs cars create</code>}
            </p>
          ) : (
            <ul class="picks">
              {cars.map((car) => (
                <li key={car.id}>
                  <button
                    class="pick"
                    type="button"
                    onClick={() => go(withQuery({ car: car.id }), { replace: true })}
                  >
                    <strong>{titleOf(car)}</strong> <span class="quiet">{carName(car)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      />
      <div class="actions">
        <CloseButton />
      </div>
    </div>
  );
}

/** What was typed isn't wanted any more. */
const CloseButton = ({ forget }: { readonly forget?: () => void }) => (
  <Button
    onClick={() => {
      forget?.();
      closeWork();
    }}
  >
    Cancel
  </Button>
);

/** No appointment, as the address says it. */
const none = 'none';

interface Known {
  readonly car: records.Car;
  readonly types: readonly records.EventType[];
  readonly zones: readonly BoardZone[];
  /** Open ones of any day, by start. */
  readonly appointments: readonly records.Appointment[];
  /** Where it stood last. */
  readonly last: records.ParkingAssignment | undefined;
}

function knownReader(carId: string) {
  const readBoard = boardReader();
  return async (): Promise<Known | 'none'> => {
    const [car, zones, types, appointments, last] = await Promise.all([
      readOne('cars', carId),
      readBoard(),
      readAll('event-types', {}),
      readAll('appointments', { carId }),
      readPage('parking/assignments', { carId, limit: 1 }),
    ]);
    if (!car) return 'none';
    return {
      car,
      zones,
      types,
      last: last.data[0],
      appointments: appointments
        .filter((one) => isOpen(one) && one.status !== 'pending_approval')
        .sort((a, b) => ((a.startAt ?? '') < (b.startAt ?? '') ? -1 : 1)),
    };
  };
}

interface WorkProps {
  readonly work: CarWorkKind;
  readonly carId: string;
}

function CarWork({ work, carId }: WorkProps) {
  const read = useMemo(() => knownReader(carId), []);
  const known = useLoaded(`work ${carId}`, read, { live: true });
  return (
    <Data
      of={known}
      show={(data) =>
        data === 'none' ? (
          <>
            <p>This team has no such car.</p>
            <CloseButton />
          </>
        ) : (
          <WorkForm work={work} known={data} />
        )
      }
    />
  );
}

/** The place and the appointment are in the address: what was clicked last counts, such as another tile. */
interface Draft {
  readonly type?: string;
  readonly notes: string;
  /** Local; empty for now. */
  readonly at: string;
}
const noDraft: Draft = { notes: '', at: '' };

function WorkForm({ work, known }: { readonly work: CarWorkKind; readonly known: Known }) {
  const { car, zones, types, appointments, last } = known;
  const name = `${work} ${car.id}`;
  const [draft, change, forget] = useDraft<Draft>(name, noDraft);
  const title = titleOf(car);
  const hereId = placeIdOf(car);
  const here = placeOn(zones, hereId);
  const fitting = types.filter(
    (type) =>
      type.isActive &&
      type.scope === 'vehicle' &&
      (work === 'drop-off' ? requiresPlace(type) : freesPlace(type)),
  );
  const wanted = asked('appointment');
  const given = appointments.find(({ id }) => id === wanted);
  const type =
    fitting.find(({ value }) => value === draft.type) ??
    fitting.find(({ id }) => id === given?.appointmentTypeId) ??
    fitting[0];

  const near = here
    ? { locationId: here.zone.location.id, zoneId: here.zone.id, spotId: here.spot?.id }
    : nearLast(zones, last, car);
  const groups = useMemo(() => freePlaces(zones, near), [zones, hereId]);
  const free = groups.flatMap(({ places }) => places);
  const suggested = free.find(({ id }) => id === last?.parkingSpotId) ?? free[0];
  // Somebody may have read it: it doesn't turn into another one when it is taken meanwhile.
  const [first] = useState(suggested?.id);
  const chosenId = asked('place') || first || suggested?.id;
  const chosen = placeOn(zones, chosenId);
  const takenBy = chosen?.spot?.car;
  const isTaken = takenBy != null && takenBy.id !== car.id;

  const today = rangeOf(dayKey(new Date()));
  const isOfToday = (one: records.Appointment) => dueOn(today, one) === 'today';
  const matching = appointments.filter(
    (one) => one.appointmentTypeId === type?.id && (one === given || dueOn(today, one)),
  );
  // A late one is linked by who was asked for it alone.
  const appointment = wanted ? matching.find((one) => one === given) : matching.find(isOfToday);
  const at = draft.at ? momentOf(draft.at).toISOString() : undefined;

  const [photos, setPhotos] = useState<readonly File[]>([]);
  const send = useAction(async () => {
    const { notes } = draft;
    if (work === 'move') {
      if (!here || !chosen) return;
      const body = { place: chosen.id, from: here.id, notes, at };
      const move = { carId: car.id, title, from: here, to: chosen, notes, startedAt: at };
      await moveCar(move, keyFor(name, body));
    } else {
      const body = {
        activityType: type?.value,
        ...(work === 'drop-off' && chosen && placeFields(chosen)),
        ...(notes && { notes }),
        ...(at && { occurredAt: at }),
        ...(appointment && { appointmentId: appointment.id }),
      };
      const event = await write<records.CarEvent>('POST', `cars/${car.id}/events`, body, {
        idempotencyKey: keyFor(name, body),
        ifParkedIn: work === 'drop-off' ? 'none' : hereId,
      });
      sendPhotos({ id: car.id, title }, event.sessionId, photos);
      const text = work === 'drop-off' ? `is parked in ${chosen?.name}` : 'was picked up';
      done.value = { text: `${title} ${text}.` };
    }
    // The same answers mean new work from now on.
    for (const kind of ['drop-off', 'move', 'pick-up']) forgetSent(`${kind} ${car.id}`);
    forget();
    closeWork();
    // On the board its tile, where it is now or was; on the page of the car what comes next.
    followFocus(`[data-car="${car.id}"] .act`, `[data-place="${hereId}"] a`, '.head .bar a', 'h1');
  });
  const isParked = car.status === 'stored';
  // What may be stored without an answer is sent again: nothing is doubled.
  const isRepeat = sentAs(name) !== undefined;
  if (!isRepeat && isParked === (work === 'drop-off'))
    return (
      <>
        <p class="notice">
          {isParked
            ? `${title} is parked ${here ? `in ${here.name} ` : ''}already.`
            : `${title} is not here.`}
        </p>
        <div class="actions">
          {(isParked ? (['move', 'pick-up'] as const) : (['drop-off'] as const)).map((kind) => (
            <a class="button" href={workHref(kind, { car: car.id })}>
              {workTitles[kind]}…
            </a>
          ))}
          <CloseButton forget={forget} />
        </div>
      </>
    );
  // What is sent again may have been stored: the car left its place then.
  const from = here ? fullName(here) : 'its place';
  const to = chosen ? fullName(chosen) : 'no place';
  const summary = {
    'drop-off': `${title} goes to ${to}`,
    move: `${title} goes from ${from} to ${to}`,
    'pick-up': `${title} leaves ${from}`,
  }[work];
  const choose = (what: 'place' | 'appointment') => (id: string) =>
    go(withQuery({ [what]: id }), { replace: true });
  const isPlaced = work === 'pick-up' || chosen !== undefined;
  return (
    <Form
      action={send}
      submit={workTitles[work]}
      isBlocked={!isPlaced || isTaken || (work !== 'move' && !type)}
      beside={<CloseButton forget={forget} />}
    >
      <Facts
        of={[
          [
            'Car',
            <>
              <strong>{title}</strong> {carName(car)}
            </>,
          ],
          ['Now in', here && fullName(here)],
        ]}
      />
      {work !== 'move' && fitting.length > 1 && (
        <Select
          label="What"
          name="activityType"
          value={type?.value ?? ''}
          options={fitting.map(({ value, name }) => [value, name] as const)}
          onInput={(value) => change({ type: value })}
        />
      )}
      {work !== 'move' && !type && <p class="notice bad">This team has no event type for it.</p>}
      {work !== 'pick-up' && (
        <Select
          label="Place"
          name={chosen?.kind === 'zone' ? 'parkingZoneId' : 'parkingSpotId'}
          value={chosenId ?? ''}
          options={
            chosen && free.every(({ id }) => id !== chosenId) ? [[chosen.id, chosen.name]] : []
          }
          groups={groups.map(({ title, places }) => ({
            title,
            options: places.map(({ id, name }) => [id, name] as const),
          }))}
          onInput={choose('place')}
          issue={isTaken ? `taken by ${titleOf(takenBy)} meanwhile` : undefined}
          isFirst
        />
      )}
      {work !== 'pick-up' && free.length === 0 && <p class="notice warn">No place is free.</p>}
      <Field
        label="Notes"
        name="notes"
        value={draft.notes}
        onInput={(notes) => change({ notes })}
        isRequired={false}
        isFirst={work === 'pick-up'}
      />
      {work !== 'move' && matching.length > 0 && (
        <Select
          label="Appointment"
          name="appointmentId"
          value={appointment?.id ?? none}
          options={[
            ...matching.map((one) => {
              const { id, startAt, title } = one;
              const time = isOfToday(one)
                ? ['today', startAt && clockText(startAt)].filter(Boolean).join(' ')
                : startAt && timeText(startAt);
              return [id, [time, title].filter(Boolean).join(' · ')] as const;
            }),
            [none, 'None of them'],
          ]}
          onInput={choose('appointment')}
        />
      )}
      {work !== 'move' && (
        <ChosenPhotos checklist={type?.photos ?? []} files={photos} onChange={setPhotos} />
      )}
      <TimeField
        value={draft.at}
        onInput={(time) => change({ at: time })}
        name={work === 'move' ? 'startedAt' : 'occurredAt'}
      />
      <p class="summary" role="status">
        {summary}, {at ? `${dateText(at)}, ${clockText(at)}` : 'now'}.
      </p>
    </Form>
  );
}

/** An appointment goes to another time and keeps its length. */
function Reschedule({ id }: { readonly id: string }) {
  const loaded = useLoaded(`appointment ${id}`, () => readVisits([{ ids: id }]), {
    live: true,
  });
  return (
    <Data
      of={loaded}
      show={([visit]) =>
        visit && isOpen(visit.appointment) ? (
          <RescheduleForm visit={visit} />
        ) : (
          <>
            <p class="notice">
              {visit
                ? `This appointment is ${spaced(visit.appointment.status)} already.`
                : 'This team has no such appointment.'}
            </p>
            <CloseButton />
          </>
        )
      }
    />
  );
}

function RescheduleForm({
  visit: { appointment, car, customer, type },
}: {
  readonly visit: Visit;
}) {
  const { id, startAt, endAt } = appointment;
  const [draft, change, forget] = useDraft(`reschedule ${id}`, { at: '' });
  const at = draft.at || (startAt ? localTime(new Date(startAt)) : '');
  const title = car ? titleOf(car) : (appointment.title ?? 'The appointment');
  const send = useAction(async () => {
    const start = momentOf(at);
    const lengthMs = Date.parse(endAt ?? '') - Date.parse(startAt ?? '') || hourMs;
    const times = {
      startAt: start.toISOString(),
      endAt: new Date(start.getTime() + lengthMs).toISOString(),
    };
    await changeAppointment(id, times);
    done.value = {
      text: `${title}: ${timeText(times.startAt)}.`,
      ...(startAt && endAt && { undo: () => changeAppointment(id, { startAt, endAt }) }),
    };
    forget();
    closeWork();
  });
  return (
    <Form
      action={send}
      submit="Change the time"
      isBlocked={at === ''}
      beside={<CloseButton forget={forget} />}
    >
      <Facts
        of={[
          ['For', <strong>{title}</strong>],
          ['What', type?.name ?? appointment.title],
          ['Customer', customer && customerName(customer)],
          ['Now', startAt && timeText(startAt)],
        ]}
      />
      <Field
        label="New time"
        name="startAt"
        type="datetime-local"
        value={at}
        onInput={(time) => change({ at: time })}
        isFirst
      />
    </Form>
  );
}

function nearLast(
  zones: readonly BoardZone[],
  last: records.ParkingAssignment | undefined,
  car: records.Car,
) {
  const place = placeOn(zones, last?.parkingSpotId ?? last?.parkingZoneId ?? undefined);
  return {
    locationId: place?.zone.location.id ?? car.locationId,
    zoneId: place?.zone.id,
    spotId: place?.spot?.id,
  };
}

interface TimeProps {
  readonly name: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Asked only when it isn't now. */
function TimeField({ name, value, onInput }: TimeProps) {
  const [isAsked, setAsked] = useState(value !== '');
  return isAsked ? (
    <Field
      label="When"
      name={name}
      type="datetime-local"
      value={value}
      onInput={onInput}
      about="Empty for now."
      isRequired={false}
    />
  ) : (
    <p>
      <button
        class="link"
        type="button"
        onClick={() => {
          setAsked(true);
          onInput(localTime(new Date()));
        }}
      >
        It happened at another time
      </button>
    </p>
  );
}
