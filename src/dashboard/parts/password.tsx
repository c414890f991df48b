/** A new password, twice. The rules are said before, the service checks them. */
import type { VNode } from 'preact';
import { Field } from './form.tsx';

export interface NewPassword {
  readonly password: string;
  readonly again: string;
}
export const noPassword: NewPassword = { password: '', again: '' };
export const isComplete = ({ password, again }: NewPassword): boolean =>
  password !== '' && password === again;

interface Props {
  readonly value: NewPassword;
  readonly onInput: (value: NewPassword) => void;
  readonly issue: string | undefined;
}

export function NewPasswordFields({ value, onInput, issue }: Props): VNode {
  const { password, again } = value;
  const isDifferent = again !== '' && !password.startsWith(again);
  return (
    <div class="stack">
      <Field
        label="New password"
        name="new-password"
        type="password"
        autocomplete="new-password"
        value={password}
        issue={issue}
        about="At least 15 characters of any kind: a few words will do. Without your e-mail name and the name of the team, and not one that everybody tries first."
        onInput={(text) => onInput({ password: text, again })}
      />
      <Field
        label="The same again"
        name="new-password-again"
        type="password"
        autocomplete="new-password"
        value={again}
        issue={isDifferent ? 'differs from the new password' : undefined}
        onInput={(text) => onInput({ password, again: text })}
      />
    </div>
  );
}
