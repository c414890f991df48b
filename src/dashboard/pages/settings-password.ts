/** The password of whoever is signed in. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { h } from '../h.ts';
import { useAction } from '../parts/action.ts';
import { Field, Form, issueOf } from '../parts/form.ts';
import { isComplete, NewPasswordFields, noPassword } from '../parts/password.ts';
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
  return h(
    'section',
    { class: 'card' },
    h('p', null, 'A new password signs out every other browser of yours.'),
    h(
      'div',
      { role: 'status' },
      isSet &&
        h('p', { class: 'notice' }, 'The new password is set. Your other browsers are signed out.'),
    ),
    h(
      Form,
      {
        action: set,
        submit: 'Set the password',
        fields: ['password'],
        isBlocked: current === '' || !isComplete(value),
      },
      h('input', {
        ...{
          class: 'hidden',
          type: 'text',
          name: 'username',
          autocomplete: 'username',
          tabIndex: -1,
          'aria-hidden': 'true',
        },
        ...{ value: session.value?.email ?? '', readOnly: true },
      }),
      h(Field, {
        label: 'Current password',
        name: 'current-password',
        type: 'password',
        autocomplete: 'current-password',
        value: current,
        onInput: setCurrent,
      }),
      h(NewPasswordFields, { value, onInput: setValue, issue }),
    ),
  );
}
