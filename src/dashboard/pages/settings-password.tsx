/** A new password, twice; and the password of whoever is signed in. The rules are said before, the service checks them. */

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { Field, Form, useAction } from '../parts/form.tsx';
import { enter, type Session, session } from '../session.ts';

export function PasswordPart() {
  const [current, setCurrent] = useState('');
  const [value, setValue] = useState(noPassword);
  const [isSet, setSet] = useState(false);
  const set = useAction(async () => {
    setSet(false);
    const { data } = await call<{ data: Session }>('PUT', 'session/password', {
      body: { current, password: value.password },
    });
    enter(data);
    setCurrent('');
    setValue(noPassword);
    setSet(true);
  });
  return (
    <section class="card">
      <p>A new password signs out every other browser of yours.</p>
      <div role="status">
        {isSet && (
          <p class="notice">The new password is set. Your other browsers are signed out.</p>
        )}
      </div>
      <Form action={set} submit="Set the password" isBlocked={current === '' || !isComplete(value)}>
        <NewPasswordFields
          email={session.value?.email ?? ''}
          value={value}
          onInput={setValue}
          current={
            <Field
              label="Current password"
              name="current"
              type="password"
              autocomplete="current-password"
              value={current}
              onInput={setCurrent}
            />
          }
        />
      </Form>
    </section>
  );
}

export interface NewPassword {
  readonly password: string;
  readonly again: string;
}
export const noPassword: NewPassword = { password: '', again: '' };
export const isComplete = ({ password, again }: NewPassword): boolean =>
  password !== '' && password === again;

interface Props {
  /** Whose it is. */
  readonly email: string;
  /** The field of the current one. */
  readonly current?: VNode;
  readonly value: NewPassword;
  readonly onInput: (value: NewPassword) => void;
}

export function NewPasswordFields({ email, current, value, onInput }: Props) {
  const { password, again } = value;
  const isDifferent = again !== '' && !password.startsWith(again);
  return (
    <div class="stack">
      {/* Tells a password manager whose password it is. */}
      <input
        class="hidden"
        type="text"
        name="username"
        autocomplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {current}
      <Field
        label="New password"
        name="password"
        type="password"
        autocomplete="new-password"
        value={password}
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
