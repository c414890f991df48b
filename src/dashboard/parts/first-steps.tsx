/** From an empty facility to its first car: what is done, and the form of the next step. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { type Places, readPlaces } from '../facility-reader.ts';
import { session } from '../session.ts';
import { plural } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { done, forgetSent, keyFor } from '../work.ts';
import { useAction } from './action.ts';
import { Field, Form, issueOf } from './form.tsx';
import { Data } from './page.tsx';
import { Select } from './select.tsx';

interface StepProps extends Places {
  /** Keeps the form open, also once the first of several records is there. */
  readonly start: () => void;
  readonly reload: () => void;
}

interface Step {
  readonly title: string;
  /** What is there already. */
  readonly state: (places: Places) => string;
  readonly Form: (props: StepProps) => VNode;
}

/** The same requests again, after an answer that was lost, add nothing twice: their keys are kept until all are answered. */
async function addAll(path: string, bodies: readonly object[]): Promise<void> {
  const nameOf = (body: object) => `add ${path} ${JSON.stringify(body)}`;
  for (const body of bodies)
    await call('POST', `api/v1/${path}`, { body, idempotencyKey: keyFor(nameOf(body), body) });
  for (const body of bodies) forgetSent(nameOf(body));
}

const namesOf = (records: ReadonlyMap<string, { readonly name: string }>) =>
  [...records.values()].map(({ name }) => name).join(', ');

const steps: readonly Step[] = [
  { title: 'Location', state: ({ locations }) => namesOf(locations), Form: LocationForm },
  { title: 'Zone', state: ({ zones }) => namesOf(zones), Form: ZoneForm },
  {
    title: 'Spots',
    state: ({ spots }) => (spots.size > 0 ? plural(spots.size, 'spot') : ''),
    Form: SpotsForm,
  },
];

export function FirstSteps(): VNode {
  const loaded = useLoaded('first steps', readPlaces, { live: true });
  const [asked, setAsked] = useState<string>();
  return (
    <Data<Places>
      of={loaded}
      show={(places) => {
        const next = steps.find(({ state }) => state(places) === '');
        const open = steps.find(({ title }) => title === asked) ?? next;
        return (
          <section class="card" aria-labelledby="steps">
            <h2 id="steps">{next ? 'First steps' : 'Places'}</h2>
            <ol class="steps">
              {steps.map(({ title, state, Form: StepForm }) => (
                <li key={title} class={state(places) ? 'is-done' : ''}>
                  <p>
                    <strong>{title}</strong>{' '}
                    <span class="quiet">{state(places) || 'none yet'}</span>{' '}
                    {open?.title !== title && (
                      <button class="link" type="button" onClick={() => setAsked(title)}>
                        Add…
                      </button>
                    )}
                  </p>
                  {open?.title === title && (
                    <StepForm
                      {...places}
                      start={() => setAsked(title)}
                      reload={() => {
                        setAsked(undefined);
                        loaded.reload();
                      }}
                    />
                  )}
                </li>
              ))}
              <li>
                <p>
                  <strong>First car</strong>{' '}
                  <span class="quiet">
                    add it with <code>cs cars create</code>, then drop it off here
                  </span>
                </p>
              </li>
              {session.value?.role === 'admin' && (
                <li>
                  <p>
                    <strong>Colleagues</strong> <a href="/dashboard/settings">Add them</a>{' '}
                    <span class="quiet">as admins or staff</span>
                  </p>
                </li>
              )}
            </ol>
          </section>
        );
      }}
    />
  );
}

function LocationForm({ start, reload }: StepProps): VNode {
  const [name, setName] = useState('');
  const send = useAction(async () => {
    start();
    await addAll('locations', [{ name: name.trim(), timezone: session.value?.team.timezone }]);
    done.value = { text: `Added the location ${name.trim()}.` };
    setName('');
    reload();
  });
  return (
    <Form action={send} submit="Add the location" fields={['name']} isBlocked={!name.trim()}>
      <Field
        label="Name of the location"
        name="location-name"
        value={name}
        onInput={setName}
        about="A site with its own address, such as Harbour."
        issue={issueOf(send, 'name')}
      />
    </Form>
  );
}

function ZoneForm({ locations, start, reload }: StepProps): VNode {
  const [name, setName] = useState('');
  const [capacity, setCapacity] = useState('');
  const [chosen, setLocation] = useState('');
  const locationId = chosen || [...locations.keys()][0];
  const send = useAction(async () => {
    start();
    await addAll('parking/zones', [
      { locationId, name: name.trim(), ...(capacity && { capacity: Number(capacity) }) },
    ]);
    done.value = { text: `Added the zone ${name.trim()}.` };
    setName('');
    reload();
  });
  if (!locationId) return <p class="quiet">A zone needs a location first.</p>;
  return (
    <Form
      action={send}
      submit="Add the zone"
      fields={['name', 'capacity']}
      isBlocked={!name.trim() || /\D/.test(capacity)}
    >
      {locations.size > 1 && (
        <Select
          label="Location"
          value={locationId}
          options={[...locations.values()].map(({ id, name }) => [id, name] as const)}
          onInput={setLocation}
        />
      )}
      <Field
        label="Name of the zone"
        name="zone-name"
        value={name}
        onInput={setName}
        about="A hall, a floor or a yard."
        issue={issueOf(send, 'name')}
      />
      <Field
        label="Cars that fit without a spot"
        name="capacity"
        value={capacity}
        onInput={setCapacity}
        about="A number; empty for no limit."
        issue={/\D/.test(capacity) ? 'must be a number' : issueOf(send, 'capacity')}
        isRequired={false}
      />
    </Form>
  );
}

const mostSpots = 200;

/** `A1` and `A20` as `A1`, `A2` … `A20`; with as many digits as the first one. Undefined where that is no range. */
export function spotNames(first: string, last: string): string[] | undefined {
  const [from, to] = [first, last || first].map((text) => /(?<!\d)\d+$/.exec(text.trim()));
  if (!from || !to) return undefined;
  const letters = from.input.slice(0, from.index);
  if (letters !== to.input.slice(0, to.index)) return undefined;
  const [start, end] = [Number(from[0]), Number(to[0])];
  if (end < start || end - start >= mostSpots) return undefined;
  const digits = from[0].length;
  return Array.from(
    { length: end - start + 1 },
    (_, at) => `${letters}${String(start + at).padStart(digits, '0')}`,
  );
}

function SpotsForm({ locations, zones, spots, start, reload }: StepProps): VNode {
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [chosen, setZone] = useState('');
  const zone = zones.get(chosen) ?? [...zones.values()].at(-1);
  const names = spotNames(first, last);
  const known = new Set(
    [...spots.values()]
      .filter(({ locationId }) => locationId === zone?.locationId)
      .map(({ name }) => name),
  );
  const wanted = names?.filter((name) => !known.has(name)) ?? [];
  const send = useAction(async () => {
    start();
    await addAll(
      'parking/spots',
      wanted.map((name) => ({ locationId: zone?.locationId, zoneId: zone?.id, name })),
    );
    done.value = { text: `Added ${plural(wanted.length, 'spot')}.` };
    setFirst('');
    setLast('');
    reload();
  });
  if (!zone) return <p class="quiet">Spots need a zone first.</p>;
  const there = (names?.length ?? 0) - wanted.length;
  return (
    <Form
      action={send}
      submit={wanted.length > 0 ? `Add ${plural(wanted.length, 'spot')}` : 'Add the spots'}
      isBlocked={wanted.length === 0}
    >
      <Select
        label="Zone"
        value={zone.id}
        options={[...zones.values()].map(
          ({ id, name, locationId }) =>
            [id, [name, locations.get(locationId)?.name].join(', ')] as const,
        )}
        onInput={setZone}
      />
      <Field label="First spot" name="first" value={first} onInput={setFirst} about="Such as A1." />
      <Field
        label="Last spot"
        name="last"
        value={last}
        onInput={setLast}
        isRequired={false}
        about={`Such as A20; ${mostSpots} at most at once.`}
        issue={
          first && !names ? 'must have the same letters and a number after the first' : undefined
        }
      />
      {there > 0 && <p class="quiet">{plural(there, 'spot')} of these exist already.</p>}
    </Form>
  );
}
