/** One search for plates, names, places, keys and pages: `/` or Ctrl-K opens it. */
import { signal } from '@preact/signals';
import { useEffect, useId, useState } from 'preact/hooks';
import { carName, titleOf } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { readCars, readCustomers, readPlaces } from '../facility-reader.ts';
import { matches } from '../matches.ts';
import { pagesOf, pageTitle } from '../menu.ts';
import { readAll } from '../read.ts';
import { go } from '../router.ts';
import { session } from '../session.ts';
import { spaced } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { Dialog } from './dialog.tsx';
import { Data } from './page.tsx';

interface Entry {
  readonly kind: 'Car' | 'Customer' | 'Spot' | 'Key' | 'Page';
  readonly title: string;
  readonly about: string;
  readonly href: string;
  /** What it is found by besides its title. */
  readonly also?: readonly (string | null | undefined)[];
}

const isOpen = signal(false);
export const openFind = (): void => {
  isOpen.value = true;
};
const close = () => {
  isOpen.value = false;
};

const mostShown = 8;

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, select, textarea');

export function Find() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey =
        event.key === '/'
          ? !isTyping(event.target)
          : event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      openFind();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return isOpen.value ? (
    <Dialog title="Search" onClose={close} class="find">
      <Search />
    </Dialog>
  ) : null;
}

const joined = (...parts: readonly (string | false | null | undefined)[]) =>
  parts.filter(Boolean).join(' · ');

async function readEntries(): Promise<Entry[]> {
  const role = session.value?.role ?? 'screen';
  const [cars, customers, places, keys] = await Promise.all([
    readCars(),
    readCustomers(),
    readPlaces(),
    role === 'admin' ? readAll('team/keys', {}) : [],
  ]);
  const onSpot = new Map([...cars.values()].map((car) => [car.parkingSpotId, car]));
  return [
    ...pagesOf[role].map((name): Entry => {
      const title = pageTitle(name);
      return { kind: 'Page', title, about: '', href: `/dashboard/${name}` };
    }),
    ...[...cars.values()].map((car): Entry => {
      const owner = customers.get(car.customerId ?? '');
      const place = places.textOf(car) ?? spaced(car.status);
      return {
        kind: 'Car',
        title: titleOf(car),
        about: joined(carName(car), owner && customerName(owner), place),
        href: `/dashboard/cars/${car.id}`,
        also: [car.nickname, car.vin, carName(car)],
      };
    }),
    ...[...customers.values()].map((customer): Entry => {
      const { id, companyName, email, phone } = customer;
      return {
        kind: 'Customer',
        title: customerName(customer),
        about: joined(phone, email),
        href: `/dashboard/customers/${id}`,
        also: [companyName, email, phone],
      };
    }),
    ...[...places.spots.values()].map(({ id, name, zoneId, locationId }): Entry => {
      const car = onSpot.get(id);
      return {
        kind: 'Spot',
        title: name,
        about: joined(
          places.zones.get(zoneId ?? '')?.name,
          places.locations.get(locationId)?.name,
          car ? titleOf(car) : 'free',
        ),
        href: `/dashboard/board?location=${locationId}&q=${encodeURIComponent(name)}`,
      };
    }),
    ...keys.map(({ id, name, key }): Entry => {
      return {
        kind: 'Key',
        title: name,
        about: `${key}…`,
        href: `/dashboard/keys/${id}`,
        also: [key],
      };
    }),
  ];
}

/** The best first: those whose title is or starts with what was typed. */
function found(entries: readonly Entry[], typed: string): Entry[] {
  if (typed.trim() === '') return entries.filter(({ kind }) => kind === 'Page');
  const rank = ({ title }: Entry) =>
    matches(typed, title, { how: 'whole' }) ? 0 : matches(typed, title, { how: 'start' }) ? 1 : 2;
  return entries
    .filter(({ title, also = [] }) => matches(typed, [title, ...also]))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, mostShown);
}

function Search() {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const loaded = useLoaded('find', readEntries, { live: true });
  const shown = found(loaded.data ?? [], typed);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    close();
    go(entry.href);
  };
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  return (
    <>
      <input
        role="combobox"
        list={undefined}
        aria-label="Plate, name, spot, key or page"
        placeholder="Plate, name, spot, key or page"
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={shown[at] && `${id}-${at}`}
        autocomplete="off"
        spellcheck={false}
        data-first=""
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (step) {
            event.preventDefault();
            setAt(Math.max(0, Math.min(shown.length - 1, at + step)));
          }
          if (event.key === 'Enter') open(shown[at]);
        }}
      />
      <Data
        of={loaded}
        show={() => (
          <>
            <div class="picks" role="listbox" id={id} aria-label="Found">
              {shown.map((entry, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
                <div
                  key={entry.href + entry.title}
                  id={`${id}-${index}`}
                  class="pick"
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  onClick={() => open(entry)}
                >
                  <strong>{entry.title}</strong>
                  <span class="quiet about">{entry.about}</span>
                  <span class="quiet about">{entry.kind}</span>
                </div>
              ))}
            </div>
            <p class="quiet" role="status">
              {shown.length === 0 && 'Nothing matches.'}
            </p>
          </>
        )}
      />
    </>
  );
}
