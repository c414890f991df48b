/** What was typed and what was sent, kept over a reload until the service has stored it. */
import { useState } from 'preact/hooks';
import { newIdempotencyKey } from './call.ts';

/** What was typed, a function for changes, and one that forgets it, with what was sent of it. */
export function useDraft<T extends object>(
  name: string,
  empty: T,
): [T, (changes: Partial<T>) => void, () => void] {
  const key = `draft ${name}`;
  const [draft, setDraft] = useState<T>(() =>
    JSON.parse(sessionStorage.getItem(key) ?? JSON.stringify(empty)),
  );
  const change = (changes: Partial<T>) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const forget = () => {
    setDraft(empty);
    sessionStorage.removeItem(key);
    forgetSent(name);
  };
  return [draft, change, forget];
}

/** An idempotency key for what is sent: the same for the same answers, also after the page was loaded again. */
export function keyFor(name: string, body: object): string {
  const text = JSON.stringify(body);
  const sent = sentAs(name);
  if (sent?.text === text) return sent.key;
  const key = newIdempotencyKey();
  sessionStorage.setItem(`sent ${name}`, JSON.stringify({ text, key }));
  return key;
}

/** What was sent under this name, and may have been stored without an answer. */
export function sentAs(name: string): { readonly text: string; readonly key: string } | undefined {
  const kept = sessionStorage.getItem(`sent ${name}`);
  return kept === null ? undefined : JSON.parse(kept);
}

export const forgetSent = (name: string): void => sessionStorage.removeItem(`sent ${name}`);
