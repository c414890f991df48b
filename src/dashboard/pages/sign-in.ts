/** E-mail and password: as a page of its own, and over a page whose session ended. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallError, call } from '../call.ts';
import { type Child, h } from '../h.ts';
import { useAction } from '../parts/action.ts';
import { Dialog } from '../parts/dialog.ts';
import { Field, Form } from '../parts/form.ts';
import { go, path } from '../router.ts';
import { enter, type Session, session } from '../session.ts';

interface Team {
  readonly slug: string;
  readonly name: string;
}

function SignInForm({ email: known = '' }: { readonly email?: string }): VNode {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [teams, setTeams] = useState<readonly Team[]>([]);
  const [chosen, setChosen] = useState<string>();
  const signIn = useAction(async () => {
    try {
      const body = { email, password, ...(chosen && { team: chosen }) };
      const { data } = await call<{ data: Session }>('POST', 'session', { body, isSignIn: true });
      if (path.value === 'sign-in' || path.value === 'forgotten')
        go('/dashboard/', { replace: true });
      enter(data);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'team_required') throw waitOf(error);
      setTeams((error.details as { teams: readonly Team[] }).teams);
    }
  });
  return h(
    Form,
    {
      action: signIn,
      submit: teams.length > 0 ? 'Go on' : 'Sign in',
      isBlocked: teams.length > 0 && !chosen,
    },
    h(Field, {
      label: 'E-mail',
      name: 'email',
      type: 'email',
      autocomplete: 'username',
      value: email,
      onInput: setEmail,
      isFirst: known === '',
    }),
    h(Field, {
      ...{
        label: 'Password',
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        value: password,
        onInput: setPassword,
      },
      isFirst: known !== '',
    }),
    teams.length > 0 &&
      h(
        'fieldset',
        null,
        h('legend', null, 'Which team?'),
        ...teams.map(({ slug, name }) =>
          h(
            'label',
            { class: 'choice' },
            h('input', {
              type: 'radio',
              name: 'team',
              value: slug,
              checked: chosen === slug,
              onChange: () => setChosen(slug),
            }),
            name,
          ),
        ),
      ),
    // Over an open page, in a tab of its own: what was typed stays.
    h(
      'p',
      null,
      h(
        'a',
        { href: '/dashboard/forgotten', target: session.value ? '_blank' : undefined },
        'Forgot password?',
      ),
    ),
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
  readonly children?: Child;
}): VNode =>
  h(
    'main',
    { class: 'door', id: 'content' },
    h('div', { class: 'card' }, h('h1', { tabIndex: -1 }, title), children),
  );

export const SignInPage = (): VNode => {
  document.title = 'Sign in · Team dashboard';
  return h(
    Door,
    { title: 'Team dashboard' },
    h(SignInForm, {}),
    h(
      'p',
      { class: 'quiet' },
      'No account yet? A colleague can add you in Settings, or the owner of the server with ',
      h('code', null, 'cs admin user add'),
      '.',
    ),
  );
};

/** The session ended under an open page, which is hidden meanwhile. What was typed stays. */
export function SignInOverPage(): VNode {
  useEffect(() => {
    const before = document.title;
    document.title = 'Sign in again · Team dashboard';
    return () => {
      document.title = before;
    };
  }, []);
  return h(
    Dialog,
    { title: 'Sign in again', onClose: undefined },
    h(
      'p',
      null,
      'Your session has ended. This page keeps what you typed while you sign in with the same account.',
    ),
    h('p', { class: 'quiet' }, 'If your account was removed, ask another admin of your team.'),
    h(SignInForm, { email: session.value?.email ?? '' }),
  );
}

/** Nobody at a wall has a password, and everybody sees it. */
export const ScreenEndedPage = (): VNode => {
  document.title = 'Screen · Team dashboard';
  return h(
    Door,
    { title: 'Team dashboard' },
    h(
      'p',
      { role: 'alert' },
      'This screen was ended. A team admin can make a new link in Settings.',
    ),
  );
};
