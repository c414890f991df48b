import type { ExitCode } from './code.ts';

export interface StatusInfo {
  readonly means: string;
  readonly next: string;
}

/** A status without a code of the service: the answer of a gateway or proxy, most often an HTML page. */
const statuses: Readonly<Record<number, StatusInfo>> = {
  400: {
    means: "A gateway in front of the server couldn't read the request or refused it.",
    next: 'See the request with -v, and ask the operator of the server.',
  },
  401: {
    means:
      'A gateway in front of the server requires a sign-in, or the server refused the key without a reason.',
    next: 'Sign in with `cs auth login`; where a gateway requires its own sign-in, ask the operator of the server.',
  },
  403: {
    means: "A gateway in front of the server refused you, or the key isn't allowed to do this.",
    next: '`cs auth status` shows the scopes of the key; where a gateway refused you, ask the operator of the server.',
  },
  404: {
    means:
      'The address answers but has no such path: most likely it is another server, or a path before /api/v1 is missing.',
    next: 'Check the address with `cs doctor`, and correct it with --base-url.',
  },
  407: {
    means: 'The proxy requires a user name and a password.',
    next: 'Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, or name the server in NO_PROXY.',
  },
  408: {
    means: "The request didn't reach the server in time.",
    next: 'Try again, or allow more retries with --retries.',
  },
  413: {
    means:
      'The request is larger than a gateway in front of the server allows. For photos the limit is often 1 MB.',
    next: 'Send less at once, or smaller files. The operator of the server can raise the limit of the gateway: 5 MB for photos, 20 MB for assets.',
  },
  414: {
    means: 'The address is longer than a gateway allows: too many ids or filters at once.',
    next: 'Ask for fewer at once.',
  },
  429: {
    means: 'A gateway in front of the server limits the number of requests.',
    next: 'Wait a minute, or allow more retries with --retries.',
  },
  502: {
    means: "A gateway in front of the server couldn't reach it or got an incomplete answer.",
    next: 'Try again in a moment, or allow more retries with --retries. After a write, check the result first.',
  },
  503: {
    means: 'The server, or a gateway in front of it, takes no requests right now.',
    next: 'Try again in a moment, or allow more retries with --retries.',
  },
  504: {
    means: 'A gateway in front of the server timed out while waiting for it.',
    next: 'Try again in a moment, or allow more retries with --retries. After a write, check the result first.',
  },
};

export const statusInfo = (status: number): StatusInfo =>
  statuses[status] ??
  (status >= 500
    ? {
        means: 'The server, or a gateway in front of it, failed without giving a reason.',
        next: 'Try again in a moment, or allow more retries with --retries. If it stays, tell the operator of the server.',
      }
    : {
        means:
          'The server, or a gateway in front of it, refused the request without giving a reason.',
        next: 'See the request with -v, and ask the operator of the server.',
      });

const exits: Readonly<Record<number, ExitCode>> = {
  401: 4,
  402: 5,
  403: 5,
  404: 6,
  // From a proxy, so a network problem.
  407: 9,
  408: 9,
  409: 7,
  410: 6,
  412: 7,
  423: 7,
  429: 8,
  451: 5,
};

/** The exit code of an answer with this status. */
export function exitCodeOfStatus(status: number): ExitCode {
  if (status >= 500) return 10;
  return exits[status] ?? (status >= 400 ? 3 : 1);
}
