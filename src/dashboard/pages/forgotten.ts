/** Asks for a link to a new password; where no e-mail is sent, says who makes one. The answer never tells whether the account exists. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { h } from '../h.ts';
import { useAction } from '../parts/action.ts';
import { Field, Form } from '../parts/form.ts';
import { sendsMail } from '../sign-in-again.ts';
import { Door } from './sign-in.ts';

export function ForgottenPage(): VNode {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = useAction(async () => {
    await call('POST', 'session/forgotten', { body: { email }, isSignIn: true });
    setSent(true);
  });
  document.title = 'Forgotten password · Team dashboard';
  const back = h('p', null, h('a', { href: '/dashboard/sign-in' }, 'Back to the sign-in'));
  if (isSent)
    return h(
      Door,
      { title: 'Look at your e-mail' },
      h(
        'p',
        { role: 'status' },
        `If ${email} has an account here, a link is on its way. It works once, for an hour.`,
      ),
      back,
    );
  if (!sendsMail.value)
    return h(
      Door,
      { title: 'Forgotten password' },
      h(
        'p',
        null,
        'A new password needs a new link, and this server sends no e-mail. Two people can make the link for you:',
      ),
      h(
        'ul',
        null,
        h('li', null, 'another admin of your team, in Settings'),
        h(
          'li',
          null,
          'the owner of the server, with ',
          h('code', null, 'cs admin user link'),
          ' and your e-mail address',
        ),
      ),
      back,
    );
  return h(
    Door,
    { title: 'Forgotten password' },
    h('p', null, 'You get an e-mail with a link to set a new one.'),
    h(
      Form,
      { action: send, submit: 'Send the link' },
      h(Field, {
        label: 'E-mail',
        name: 'email',
        type: 'email',
        autocomplete: 'username',
        value: email,
        onInput: setEmail,
        isFirst: true,
      }),
    ),
    back,
  );
}
