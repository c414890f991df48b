/** A status without a code of the service: what a gateway or a proxy on the way has answered, most often as a page of HTML. */
import { type Explanation, explained } from './explanation.ts';

const known: Readonly<Record<number, Explanation>> = {
  400: explained(
    'A gateway in front of the server could not read the request, or did not like it.',
    'See what was sent with -v, and ask whoever runs the server.',
  ),
  401: explained(
    'A gateway in front of the server asks for a sign-in, or the server refuses the key without saying why.',
    'Sign in again with `cs auth login`. A sign-in of the gateway itself is for whoever runs the server.',
  ),
  403: explained(
    'A gateway in front of the server refuses you, or the server does not let the key do this.',
    'See what the key may do with `cs auth status`. What a gateway lets through is for whoever runs the server.',
  ),
  404: explained(
    'The address answers, and knows no such path: most likely it is another server, or the path in front of the interface is missing.',
    'Check the address with `cs doctor`; --base-url gives another.',
  ),
  407: explained(
    'The proxy on the way wants a name and a password.',
    'Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, or name the server in NO_PROXY.',
  ),
  408: explained('The request did not reach the server in time.', 'Try again; on a slow network give it longer with --timeout.'),
  413: explained(
    'What was sent is larger than a gateway in front of the server lets through. For photos that is often 1 MB.',
    'Send smaller files. Whoever runs the server can raise the limit of the gateway: 5 MB are enough for photos, 20 MB for assets.',
  ),
  414: explained('The address was longer than a gateway lets through: too many ids or filters at once.', 'Ask for fewer at once.'),
  429: explained(
    'A gateway in front of the server lets no more requests through for now.',
    'Wait a minute, or give more tries with --retries.',
  ),
  502: explained(
    'A gateway in front of the server could not reach it, or got an answer that was cut.',
    'Try again in a moment. Look before you do a write again: it may have been carried out.',
  ),
  503: explained('The server, or a gateway in front of it, is not taking requests now.', 'Try again in a moment.'),
  504: explained(
    'A gateway in front of the server waited for it and gave up.',
    'Look before you do a write again: it may have been carried out. Then try again.',
  ),
};

export const statusExplanation = (status: number): Explanation =>
  known[status] ??
  (status >= 500
    ? explained(
        'The server, or a gateway in front of it, failed without saying why.',
        'Try again in a moment, and tell whoever runs the server.',
      )
    : explained(
        'The server, or a gateway in front of it, refused the request without saying why.',
        'See what was sent with -v, and ask whoever runs the server.',
      ));
