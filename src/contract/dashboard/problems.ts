import type { Problems } from '../problems.ts';

/** The codes that only the dashboard's own interface answers with. No key ever meets them. */
export const dashboardProblems = {
  sign_in_required: { status: 401, about: 'The browser has no session, or it has ended.' },
  sign_in_failed: { status: 401, about: 'The e-mail address or the password is wrong.' },
  role_needed: {
    status: 403,
    about: 'Only a team admin may do this. A screen shows the board and today.',
  },
  origin_refused: { status: 403, about: 'The request comes from a page of another site.' },
  insecure_address: { status: 403, about: 'Passwords would travel unencrypted to this address.' },
  dashboard_not_built: {
    status: 503,
    about: 'The pages of the dashboard are missing from this installation.',
  },
  link_invalid: {
    status: 422,
    about: 'The link was used, has ended, or was replaced by a newer one.',
  },
  team_required: {
    status: 422,
    about: 'The account exists in several teams. The details list them.',
  },
  key_revoked: { status: 422, about: 'The key is revoked, so it stays as it is.' },
  key_expired: {
    status: 422,
    about: 'The key has expired, and stays so. A new one takes its place.',
  },
  last_admin: { status: 422, about: 'The team would be left without an admin.' },
} as const satisfies Problems;

export type DashboardProblemCode = keyof typeof dashboardProblems;
