/** From an empty facility to its first car: what is done, and the form of the next step. */
import { namesBetween } from '../../facility/name-range.ts';
import { forgetSent, keyFor, useDraft } from '../drafts.ts';
import { type Places, readPlaces } from '../facility-reader.ts';
import { readPage, write } from '../read.ts';
import { asked, go, withQuery } from '../router.ts';
import { session } from '../session.ts';
import { plural } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { done } from '../work.ts';
import { Field, Form, type Options, Select, useAction } from './form.tsx';
import { Card, Data } from './page.tsx';

interface StepField {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly type?: 'number';
  readonly isRequired?: boolean;
}

/** What was typed, by field; `within` is the id of the place that it goes into. */
type Given = Readonly<Record<string, string>>;

interface Step {
  readonly title: string;
  readonly path: string;
  /** What is there already. */
  readonly state: (places: Places) => string;
  /** Places that a new one goes into. */
  readonly within?: { readonly label: string; readonly options: (places: Places) => Options };
  readonly fields: readonly StepField[];
  /** The records to add, or what is wrong with the last field. */
  readonly bodies: (given: Given, places: Places) => readonly { readonly name: string }[] | string;
  readonly submit: (count: number) => string;
}

const namesOf = (records: ReadonlyMap<string, { readonly name: string }>) =>
  [...records.values()].map(({ name }) => name).join(', ');

const steps: readonly Step[] = [
  {
    title: 'Location',
    path: 'locations',
    state: ({ locations }) => namesOf(locations),
    fields: [
      {
        name: 'name',
        label: 'Name of the location',
        about: 'A site with its own address, such as Harbour.',
      },
    ],
    bodies: ({ name = '' }) => [{ name, timezone: session.value?.team.timezone }],
    submit: () => 'Add the location',
  },
  {
    title: 'Zone',
    path: 'parking/zones',
    state: ({ zones }) => namesOf(zones),
    within: {
      label: 'Location',
      options: ({ locations }) => [...locations.values()].map(({ id, name }) => [id, name]),
    },
    fields: [
      { name: 'name', label: 'Name of the zone', about: 'A hall, a floor or a yard.' },
      {
        name: 'capacity',
        label: 'Cars that fit without a spot',
        about: 'A number; empty for no limit.',
        type: 'number',
        isRequired: false,
      },
    ],
    bodies: ({ name = '', capacity, within }) => [
      { locationId: within, name, ...(capacity && { capacity: Number(capacity) }) },
    ],
    submit: () => 'Add the zone',
  },
  {
    title: 'Spots',
    path: 'parking/spots',
    state: ({ spots }) => (spots.size > 0 ? plural(spots.size, 'spot') : ''),
    within: {
      label: 'Zone',
      options: ({ zones, locations }) =>
        [...zones.values()].map(({ id, name, locationId }) => [
          id,
          [name, locations.get(locationId)?.name].join(', '),
        ]),
    },
    fields: [
      { name: 'first', label: 'First spot', about: 'Such as A1.' },
      { name: 'last', label: 'Last spot', about: 'Such as A20.', isRequired: false },
    ],
    bodies({ first = '', last, within }, { zones, spots }) {
      const locationId = zones.get(within ?? '')?.locationId;
      const names = last ? namesBetween(first, last) : [first];
      if (typeof names === 'string') return `${first} to ${last} isn't a range of names: ${names}`;
      const known = [...spots.values()].filter((spot) => spot.locationId === locationId);
      const added = names.filter((name) => !known.some((spot) => spot.name === name));
      return added.length === 0
        ? 'all of these exist already'
        : added.map((name) => ({ locationId, zoneId: within, name }));
    },
    submit: (count) => (count > 0 ? `Add ${plural(count, 'spot')}` : 'Add the spots'),
  },
];

/** The step whose form is open is in the address, so that Back and a reload keep it. */
export const placesHref = (step = '1'): string => withQuery({ places: step });

async function readSteps() {
  const [places, cars] = await Promise.all([readPlaces(), readPage('cars', { limit: 1 })]);
  return { places, hasCars: cars.total > 0 };
}

export function FirstSteps() {
  const loaded = useLoaded('first steps', readSteps, { live: true });
  return (
    <Data
      of={loaded}
      show={({ places, hasCars }) => {
        const next = steps.find(({ state }) => state(places) === '');
        const open = steps.find(({ title }) => title === asked('places')) ?? next;
        return (
          <Card title={next || !hasCars ? 'First steps' : 'Places'}>
            <ol class="steps">
              {steps.map((step) => (
                <li key={step.title} class={step.state(places) ? 'is-done' : ''}>
                  <p>
                    <strong>{step.title}</strong>{' '}
                    <span class="quiet">{step.state(places) || 'none yet'}</span>{' '}
                    {open !== step && <a href={placesHref(step.title)}>Add…</a>}
                  </p>
                  {open === step && <StepForm step={step} places={places} onDone={loaded.reload} />}
                </li>
              ))}
              {!hasCars && (
                <li>
                  <p>
                    <strong>First car</strong>{' '}
                    <span class="quiet">
                      add it with <code>cs cars create</code>, then drop it off here
                    </span>
                  </p>
                </li>
              )}
              {!hasCars && session.value?.role === 'admin' && (
                <li>
                  <p>
                    <strong>Colleagues</strong> <a href="/dashboard/settings">Add them</a>{' '}
                    <span class="quiet">as admins or staff</span>
                  </p>
                </li>
              )}
            </ol>
          </Card>
        );
      }}
    />
  );
}

interface StepProps {
  readonly step: Step;
  readonly places: Places;
  readonly onDone: () => void;
}

function StepForm({ step, places, onDone }: StepProps) {
  const { title, path, within, fields } = step;
  const [draft, change, forget] = useDraft<Given>(`place ${path}`, {});
  const options = within?.options(places) ?? [];
  const given: Given = {
    ...Object.fromEntries(Object.entries(draft).map(([name, text]) => [name, text.trim()])),
    within: draft.within ?? options.at(-1)?.[0] ?? '',
  };
  const isFilled = fields.every(({ name, isRequired = true }) => !isRequired || given[name]);
  const bodies = isFilled ? step.bodies(given, places) : [];
  const wanted = typeof bodies === 'string' ? [] : bodies;
  const add = useAction(async () => {
    // Stays open, also once the first of several is there.
    go(placesHref(title), { replace: true });
    const nameOf = (body: object) => `add ${path} ${JSON.stringify(body)}`;
    // The same again after a lost answer adds nothing twice: the keys are kept until all are answered.
    for (const body of wanted)
      await write('POST', path, body, { idempotencyKey: keyFor(nameOf(body), body) });
    for (const body of wanted) forgetSent(nameOf(body));
    const [first, ...others] = wanted;
    done.value = {
      text: `Added ${others.length > 0 ? plural(wanted.length, 'spot') : first?.name}.`,
    };
    forget();
    onDone();
    // Whoever went on meanwhile stays there.
    if (asked('places') === title) go(placesHref(), { replace: true });
  });
  if (within && options.length === 0)
    return <p class="quiet">Add a {within.label.toLowerCase()} first.</p>;
  return (
    <Form action={add} submit={step.submit(wanted.length)} isBlocked={wanted.length === 0}>
      {within && options.length > 1 && (
        <Select
          label={within.label}
          value={given.within ?? ''}
          options={options}
          onInput={(id) => change({ within: id })}
        />
      )}
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          name={name}
          value={draft[name] ?? ''}
          onInput={(text) => change({ [name]: text })}
          issue={typeof bodies === 'string' && name === fields.at(-1)?.name ? bodies : undefined}
        />
      ))}
    </Form>
  );
}
