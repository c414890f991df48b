/** A one-time link: who it is for, then a password, or one button for a screen. */
import { useEffect, useState } from 'preact/hooks';
import { CallError, call } from '../call.ts';
import { Failure, Form, useAction, useFields } from '../parts/form.tsx';
import { Waiting } from '../parts/page.tsx';
import { asked, go } from '../router.ts';
import { enter, isPhoneOfPanel, loadSession, type Session, session } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { isComplete, NewPasswordFields, noPassword } from './settings-password.tsx';
import { Door } from './sign-in.tsx';

interface LinkFacts {
  readonly purpose: 'welcome' | 'reset' | 'screen' | 'phone';
  readonly email: string | null;
  readonly name: string;
  readonly team: { readonly name: string; readonly slug: string };
  readonly endsAt: string;
}

/** The secret of the link. Kept only here: neither the history nor a screenshot of the address needs it. */
function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return token;
}

export function LinkPage() {
  const [token, setToken] = useState(takeToken);
  const { values, field } = useFields(noPassword);
  const loaded = useLoaded(`link ${token}`, () =>
    call<{ data: LinkFacts }>('POST', 'link', { body: { token } }),
  );
  const { error } = loaded;
  const facts = loaded.data?.data;
  useEffect(() => {
    // Another link that is pasted into the same tab loads no page.
    const changed = () => location.hash.length > 1 && setToken(takeToken());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const open = useAction(async () => {
    const isPhone = facts?.purpose === 'phone';
    const needsPassword = !isPhone && facts?.purpose !== 'screen';
    const body = { token, ...(needsPassword && { password: values.password }) };
    const { data } = await call<{ data: Session }>('POST', 'link/use', { body });
    const start = isPhone ? `cars/${asked('car')}` : '';
    go(`/dashboard/${data.role === 'screen' ? 'board?wall=screen' : start}`, { replace: true });
    isPhoneOfPanel(isPhone);
    enter(data);
  });
  const opensAlone = facts?.purpose === 'phone';
  useEffect(() => {
    if (opensAlone) void open.run();
  }, [opensAlone]);
  document.title = 'Link · Team dashboard';
  if (error instanceof CallError && error.code === 'link_invalid') return <DeadLink />;
  if (!facts)
    return (
      <Door title={error ? "The link couldn't be read" : 'One moment'}>
        <Waiting for={loaded} />
      </Door>
    );
  const { purpose, email, name, team } = facts;
  if (purpose === 'phone')
    return (
      <Door title="One moment">
        <p role="status">Opening the car …</p>
        <Failure error={open.error} />
      </Door>
    );
  if (purpose === 'screen')
    return (
      <Door title={`Screen “${name}”`}>
        <p>
          This browser will show the board and the day of {team.name} to everybody who sees it. It
          can change nothing.
        </p>
        <Form action={open} submit="Open the board on this screen" />
      </Door>
    );
  return (
    <Door title={purpose === 'welcome' ? `Welcome to ${team.name}` : 'A new password'}>
      <p>
        For <strong>{email ?? name}</strong> in the team {team.name}.
      </p>
      <Form action={open} submit="Set the password and sign in" isBlocked={!isComplete(values)}>
        <NewPasswordFields email={email ?? ''} values={values} field={field} />
      </Form>
    </Door>
  );
}

/** Whoever is signed in on this browser goes on. */
function DeadLink() {
  useEffect(() => {
    if (session.value === undefined) void loadSession();
  }, []);
  const who = session.value;
  return (
    <Door title="This link doesn't work">
      <p role="alert">
        It was used already, is too old, or a newer one was made. Ask for a new link.
      </p>
      {who && (
        <p>
          You are signed in as <strong>{who.email ?? who.name}</strong>.
        </p>
      )}
      {/* Not known yet while it is undefined. */}
      {who !== undefined && (
        <p>
          {who ? (
            <a href="/dashboard/">Go to the dashboard</a>
          ) : (
            <a href="/dashboard/sign-in">Sign in with a password</a>
          )}
        </p>
      )}
    </Door>
  );
}
