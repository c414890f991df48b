/** A search of a list. What is searched is in the address. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, query, withQuery } from '../router.ts';

const restMs = 250;

/** Searches when the typing rests. */
export function SearchField({ label }: { readonly label: string }): VNode {
  const value = query.value.get('q') ?? '';
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(value);
  const search = (wanted: string) => {
    searched.current = wanted.trim();
    go(withQuery({ q: searched.current, pages: undefined }), { replace: true });
  };
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
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const wanted = event.currentTarget.value;
          setText(wanted);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(wanted), restMs);
        }}
      />
    </div>
  );
}
