/** Who is signed in. */
import { effect, signal } from '@preact/signals';
import type { Role } from '../contract/dashboard/roles.ts';
import { CallError, call } from './call.ts';
import { closeSignIn, sendsMail } from './sign-in-again.ts';
import { hearStamp } from './stamp.ts';
import { zone } from './times.ts';

export interface Session {
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  readonly team: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly timezone: string;
  };
  readonly endsAt: string;
  /** Whether the service sends e-mail, such as a link for a forgotten password. */
  readonly mail: boolean;
  readonly build: string;
  /** Of the team's latest change. */
  readonly stamp: string;
}

/** Undefined until the service said it; null for nobody. */
export const session = signal<Session | null | undefined>(undefined);
effect(() => {
  zone.value = session.value?.team.timezone ?? 'UTC';
});
export const startFailure = signal<Error | undefined>(undefined);

/** After a sign-in. What waits goes on, if the same person is back; else the page starts anew. */
export function enter(next: Session): void {
  const before = session.value;
  const isOther =
    before &&
    (before.email !== next.email || before.team.id !== next.team.id || before.role !== next.role);
  if (isOther) {
    location.reload();
    return;
  }
  hearStamp(next.stamp);
  session.value = next;
  sendsMail.value = next.mail;
  closeSignIn();
}

export async function loadSession(): Promise<void> {
  try {
    const answer = await call<{ data: Session } | { data: null; mail: boolean }>('GET', 'session');
    const { data } = answer;
    sendsMail.value = data ? data.mail : answer.mail;
    if (data) hearStamp(data.stamp);
    session.value = data;
    startFailure.value = undefined;
  } catch (error) {
    startFailure.value = error as Error;
  }
}

/** Whether a panel on a computer signed this browser in, and signs it out; with a value, notes it. */
export function isPhoneOfPanel(value?: boolean): boolean {
  if (value) sessionStorage.setItem('phone', 'signed in');
  else if (value === false) sessionStorage.removeItem('phone');
  return sessionStorage.getItem('phone') !== null;
}

export async function signOut(): Promise<void> {
  try {
    await call('DELETE', 'session', { isSignOut: true });
  } catch (error) {
    // Without a session there is nothing to end.
    if (!(error instanceof CallError && error.code === 'sign_in_required')) throw error;
  }
  // All that was read goes at once, and so a page that Back shows again has none of it.
  session.value = null;
  location.assign('/dashboard/sign-in');
}
