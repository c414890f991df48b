/** Asks for a link to a new password; where no e-mail is sent, says who makes one. The answer never tells whether the account exists. */
import { useState } from 'preact/hooks';
import { call } from '../call.ts';
import { Field, Form, useAction } from '../parts/form.tsx';
import { sendsMail } from '../sign-in-again.ts';
import { Door } from './sign-in.tsx';

export function ForgottenPage() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = useAction(async () => {
    await call('POST', 'session/forgotten', { body: { email }, isSignIn: true });
    setSent(true);
  });
  document.title = 'Forgotten password · Team dashboard';
  const back = (
    <p>
      <a href="/dashboard/sign-in">Back to the sign-in</a>
    </p>
  );
  if (isSent)
    return (
      <Door title="Look at your e-mail">
        <p role="status">
          If {email} has an account here, a link is on its way. It works once, for an hour.
        </p>
        {back}
      </Door>
    );
  if (!sendsMail.value)
    return (
      <Door title="Forgotten password">
        <p>
          A new password needs a new link, and this server sends no e-mail. Two people can make the
          link for you:
        </p>
        <ul>
          <li>another admin of your team, in Settings</li>
          <li>
            the owner of the server, with <code>cs admin user link</code> and your e-mail address
          </li>
        </ul>
        {back}
      </Door>
    );
  return (
    <Door title="Forgotten password">
      <p>You get an e-mail with a link to set a new one.</p>
      <Form action={send} submit="Send the link">
        <Field
          label="E-mail"
          name="email"
          type="email"
          autocomplete="username"
          value={email}
          onInput={setEmail}
          isFirst
        />
      </Form>
      {back}
    </Door>
  );
}
