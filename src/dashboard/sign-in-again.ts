/** A session that ended under an open page: one form for all requests that wait for it. */
import { signal } from '@preact/signals';

/** Whether the form to sign in is over the page. */
export const isSignInOpen = signal(false);
/** Whether the service sends e-mail, such as a link for a forgotten password. Known also without a session. */
export const sendsMail = signal(false);

let waiting: PromiseWithResolvers<void> | undefined;

/** Resolves when somebody is signed in. */
export function signInAgain(details: unknown): Promise<void> {
  sendsMail.value = (details as { mail?: boolean } | null)?.mail === true;
  waiting ??= Promise.withResolvers();
  isSignInOpen.value = true;
  return waiting.promise;
}

/** What waits goes on. */
export function closeSignIn(): void {
  isSignInOpen.value = false;
  waiting?.resolve();
  waiting = undefined;
}
