/** A new password, twice; and the password of whoever is signed in. The rules are said before, the service checks them. */

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { Field, type FieldOf, Form, useAction, useFields } from '../parts/form.tsx';
import { enter, type Session, session } from '../session.ts';

export function PasswordPart() {
  const { values, field, clear } = useFields({ current: '', ...noPassword });
  const [isSet, setSet] = useState(false);
  const set = useAction(async () => {
    setSet(false);
    const { data } = await call<{ data: Session }>('PUT', 'session/password', {
      body: { current: values.current, password: values.password },
    });
    enter(data);
    clear();
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
      <Form
        action={set}
        submit="Set the password"
        isBlocked={values.current === '' || !isComplete(values)}
      >
        <NewPasswordFields
          email={session.value?.email ?? ''}
          values={values}
          field={field}
          current={
            <Field
              label="Current password"
              {...field('current')}
              type="password"
              autocomplete="current-password"
            />
          }
        />
      </Form>
    </section>
  );
}

/** What `useFields` starts with. */
export const noPassword = { password: '', again: '' };
export const isComplete = ({ password, again }: typeof noPassword): boolean =>
  password !== '' && password === again;

interface Props {
  /** Whose it is. */
  readonly email: string;
  /** The field of the current one. */
  readonly current?: VNode;
  readonly values: typeof noPassword;
  readonly field: (name: keyof typeof noPassword) => ReturnType<FieldOf>;
}

export function NewPasswordFields({ email, current, values, field }: Props) {
  const { password, again } = values;
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
        {...field('password')}
        type="password"
        autocomplete="new-password"
        about="At least 15 characters of any kind: a few words will do. Without your e-mail name and the name of the team, and not one that everybody tries first."
      />
      <Field
        label="The same again"
        {...field('again')}
        type="password"
        autocomplete="new-password"
        issue={isDifferent ? 'differs from the new password' : undefined}
      />
    </div>
  );
}
