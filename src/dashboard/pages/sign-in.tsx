/** E-mail and password: as a page of its own, and over a page whose session ended. And a link to a new password. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallError, call } from '../call.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Choices, Field, Form, useAction, useFields } from '../parts/form.tsx';
import { go, path } from '../router.ts';
import { enter, isPhoneOfPanel, type Session, session } from '../session.ts';
import { sendsMail } from '../sign-in-again.ts';

interface Team {
  readonly slug: string;
  readonly name: string;
}

function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const { values, field } = useFields({ email: known, password: '', team: '' });
  const [teams, setTeams] = useState<readonly Team[]>([]);
  const signIn = useAction(async () => {
    try {
      const { team, ...account } = values;
      const body = { ...account, ...(team && { team }) };
      const { data } = await call<{ data: Session }>('POST', 'session', { body });
      if (path.value === 'sign-in' || path.value === 'forgotten')
        go('/dashboard/', { replace: true });
      enter(data);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'team_required') throw waitOf(error);
      setTeams((error.details as { teams: readonly Team[] }).teams);
    }
  });
  return (
    <Form
      action={signIn}
      submit={teams.length > 0 ? 'Go on' : 'Sign in'}
      isBlocked={teams.length > 0 && !values.team}
    >
      <Field
        label="E-mail"
        {...field('email')}
        type="email"
        autocomplete="username"
        isFirst={known === ''}
      />
      <Field
        label="Password"
        {...field('password')}
        type="password"
        autocomplete="current-password"
        isFirst={known !== ''}
      />
      {teams.length > 0 && (
        <fieldset>
          <legend>Which team?</legend>
          <Choices
            {...field('team')}
            options={teams.map(({ slug, name }) => [slug, name] as const)}
          />
        </fieldset>
      )}
      {/* Over an open page, in a tab of its own: what was typed stays. */}
      <p>
        <a href="/dashboard/forgotten" target={session.value ? '_blank' : undefined}>
          Forgot password?
        </a>
      </p>
    </Form>
  );
}

/** How long to wait, in words. */
function waitOf(error: unknown): unknown {
  const seconds =
    error instanceof CallError && error.status === 429
      ? (error.details as { retryAfter?: number } | null)?.retryAfter
      : undefined;
  if (!seconds) return error;
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new CallError(`Too many attempts. Wait ${wait}, then try again.`, {
    code: 'rate_limited',
    status: 429,
  });
}

/** Around every page for somebody who isn't signed in. */
export const Door = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <main class="door" id="content">
    <div class="card">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  </main>
);

export const SignInPage = () => {
  document.title = 'Sign in · Team dashboard';
  return (
    <Door title="Team dashboard">
      <SignInForm />
      <p class="quiet">
        No account yet? A colleague can add you in Settings, or the owner of the server with{' '}
        <code>cs admin user add</code>.
      </p>
    </Door>
  );
};

/** The session ended under an open page, which is hidden meanwhile. What was typed stays. */
export function SignInOverPage() {
  useEffect(() => {
    const before = document.title;
    document.title = 'Sign in again · Team dashboard';
    return () => {
      document.title = before;
    };
  }, []);
  return (
    <Dialog title="Sign in again" onClose={undefined}>
      {isPhoneOfPanel() ? (
        <p>
          The panel on the computer was closed. Open it there again, and scan the new code. Or sign
          in here.
        </p>
      ) : (
        <p>
          Your session has ended. This page keeps what you typed while you sign in with the same
          account.
        </p>
      )}
      <p class="quiet">If your account was removed, ask another admin of your team.</p>
      <SignInForm email={session.value?.email ?? ''} />
    </Dialog>
  );
}

/** Nobody at a wall has a password, and everybody sees it. */
export const ScreenEndedPage = () => {
  document.title = 'Screen · Team dashboard';
  return (
    <Door title="Team dashboard">
      <p role="alert">This screen was ended. A team admin can make a new link in Settings.</p>
    </Door>
  );
};

/** Where no e-mail is sent, says who makes a link. The answer never tells whether the account exists. */
export function ForgottenPage() {
  const { values, field } = useFields({ email: '' });
  const [isSent, setSent] = useState(false);
  const send = useAction(async () => {
    await call('POST', 'session/forgotten', { body: values });
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
          If {values.email} has an account here, a link is on its way. It works once, for an hour.
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
        <Field label="E-mail" {...field('email')} type="email" autocomplete="username" isFirst />
      </Form>
      {back}
    </Door>
  );
}
