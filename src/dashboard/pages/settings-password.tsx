/** The password of whoever is signed in. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { useAction } from '../parts/action.ts';
import { Field, Form, issueOf } from '../parts/form.tsx';
import { isComplete, NewPasswordFields, noPassword } from '../parts/password.tsx';
import { enter, type Session, session } from '../session.ts';

export function PasswordPart(): VNode {
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
  const issue = issueOf(set, 'password');
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
        fields={['password']}
        isBlocked={current === '' || !isComplete(value)}
      >
        <input
          class="hidden"
          type="text"
          name="username"
          autocomplete="username"
          tabIndex={-1}
          aria-hidden="true"
          value={session.value?.email ?? ''}
          readOnly
        />
        <Field
          label="Current password"
          name="current-password"
          type="password"
          autocomplete="current-password"
          value={current}
          onInput={setCurrent}
        />
        <NewPasswordFields value={value} onInput={setValue} issue={issue} />
      </Form>
    </section>
  );
}
