/** A browser that is signed in to the dashboard of a test service. */
import type { AccountRole } from '../../src/contract/dashboard/roles.ts';
import { inTeam } from '../../src/service/admin.ts';
import { addAdmin, addScreen } from '../../src/service/team/accounts.ts';
import { type Answer, send, type TestService } from './service.ts';

export const password = 'a long sentence with words';

export interface Browser {
  /** Sends a request below /dashboard, as a page of the dashboard does. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** `name=secret` of the session, as the browser sends it. */
  readonly cookie: string;
}

/** A browser without a session, which keeps the cookie that it gets. */
export function openBrowser(service: Pick<TestService, 'url'>): Browser {
  const { url } = service;
  let cookie = '';
  return {
    get cookie() {
      return cookie;
    },
    async ask(method, path, body, headers = {}) {
      const answer = await send(
        `${url}/dashboard${path}`,
        method,
        body ?? (method === 'GET' ? undefined : {}),
        {
          origin: url,
          'sec-fetch-site': 'same-origin',
          ...(cookie && { cookie }),
          ...headers,
        },
      );
      const [pair] = answer.headers.get('set-cookie')?.split(';') ?? [];
      if (pair !== undefined) cookie = pair.endsWith('=') ? '' : pair;
      return answer;
    },
  };
}

let accounts = 0;

/** Adds an admin and returns the token of the first link. */
export async function inviteAdmin(
  { admin }: Pick<TestService, 'admin'>,
  team = 'first',
  { email = `admin-${++accounts}@garage.example`, role = 'admin' as AccountRole } = {},
) {
  const { link, row } = await inTeam(admin, team, (context) =>
    addAdmin(context, 'test', { email, role }),
  );
  return { email, id: row.id, token: link.token };
}

export async function signInAdmin(
  service: TestService,
  team = 'first',
  role: AccountRole = 'admin',
): Promise<Browser & { readonly email: string; readonly id: string }> {
  const { token, ...account } = await inviteAdmin(service, team, { role });
  const browser = openBrowser(service);
  const answer = await browser.ask('POST', '/link/use', { token, password });
  if (answer.status !== 200)
    throw new Error(`The sign-in was refused: ${JSON.stringify(answer.body)}`);
  return Object.assign(browser, account);
}

export async function signInScreen(service: TestService, team = 'first'): Promise<Browser> {
  const { link } = await inTeam(service.admin, team, (context) =>
    addScreen(context, 'test', 'Hall A'),
  );
  const browser = openBrowser(service);
  await browser.ask('POST', '/link/use', { token: link.token });
  return browser;
}
