/** What a page shows of its records, chosen or searched. It is in the address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { asked, go, withQuery } from '../router.ts';
import { type Options, Select } from './form.tsx';

/** Another choice starts a list again. */
const fromStart = { pages: undefined, before: undefined };

interface FilterProps {
  readonly label: string;
  /** In the address. */
  readonly name: string;
  readonly options: Options;
  /** Without one in the address. */
  readonly initial?: string;
}

export const Filter = ({ label, name, options, initial = '' }: FilterProps) => (
  <Select
    label={label}
    value={asked(name) || initial}
    options={options}
    onInput={(value) => go(withQuery({ ...fromStart, [name]: value }))}
  />
);

interface Named {
  readonly id: string | null;
  readonly name: string | null;
}

/** Only where there is something to choose. */
export const LocationFilter = ({ of }: { readonly of: readonly Named[] }) =>
  of.length > 1 || asked('location') ? (
    <Filter
      label="Location"
      name="location"
      options={[
        ['', 'All locations'],
        ...of.map(({ id, name }) => [id ?? '', name ?? 'Without a location'] as const),
      ]}
    />
  ) : null;

const restMs = 250;

/** Searches when the typing rests. */
export function SearchField({ label }: { readonly label: string }) {
  const value = asked('q');
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(value);
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
      <label for="q">{label}</label>
      <input
        id="q"
        type="search"
        name="q"
        placeholder={label}
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          const { pathname } = location;
          timer.current = setTimeout(() => {
            // A record may be opened meanwhile, whose page is still loading.
            if (location.pathname !== pathname) return;
            searched.current = value.trim();
            go(withQuery({ ...fromStart, q: searched.current }), { replace: true });
          }, restMs);
        }}
      />
    </div>
  );
}
