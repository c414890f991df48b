/** The password of whoever is signed in. */
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { Field, Form, useAction } from '../parts/form.tsx';
import { isComplete, NewPasswordFields, noPassword } from '../parts/password.tsx';
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
