/** When a key ends. */
import { dateText, dayKey, endOfDay, shiftDay } from '../times.ts';
import { Choices, Field, useIssue } from './form.tsx';

export interface Expiry {
  readonly kind: '30' | '90' | '365' | 'date' | 'never';
  /** `2026-11-22`. */
  readonly date: string;
}

export const yearFromNow = (): Expiry => ({ kind: '365', date: shiftDay(dayKey(new Date()), 365) });

/** Undefined for never. */
export function expiryTime({ kind, date }: Expiry): string | undefined {
  if (kind === 'never') return undefined;
  const day = kind === 'date' ? date : shiftDay(dayKey(new Date()), Number(kind));
  return Number.isNaN(Date.parse(day)) ? undefined : endOfDay(day).toISOString();
}

export const hasDate = ({ kind, date }: Expiry): boolean =>
  kind !== 'date' || !Number.isNaN(Date.parse(date));

/** What an expiry date does. */
export const expiryText = (time: string): string =>
  Date.parse(time) > Date.now()
    ? `It works until the end of ${dateText(time)}.`
    : `${dateText(time)} is in the past. Choose a later day.`;

const choices: readonly (readonly [Expiry['kind'], string])[] = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'On a date'],
  ['never', 'Never'],
];

interface Props {
  readonly value: Expiry;
  readonly onInput: (value: Expiry) => void;
}

export function ExpiryFields({ value, onInput }: Props) {
  const time = expiryTime(value);
  const issue = useIssue('expiresAt');
  return (
    <fieldset>
      <legend>Expires</legend>
      <Choices
        name="expiry"
        value={value.kind}
        options={choices}
        onInput={(kind) => onInput({ ...value, kind: kind as Expiry['kind'] })}
      />
      {value.kind === 'date' && (
        <Field
          label="Last day"
          name="expiresAt"
          type="date"
          value={value.date}
          min={dayKey(new Date())}
          onInput={(date) => onInput({ ...value, date })}
        />
      )}
      {value.kind === 'never' ? (
        <p class="notice warn">
          ⚠ A key that never expires works for whoever finds it, for ever. Set a date, and replace
          the key before it.
        </p>
      ) : (
        time && <p class="about">{expiryText(time)}</p>
      )}
      {value.kind !== 'date' && issue && <p class="issue">Expires: {issue}.</p>}
    </fieldset>
  );
}
