/** What a person sees who opens the dashboard at an address where it stays closed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem } from '../problem.ts';

/** Answers a browser with a page of its own; every other error goes on to the service's handler. */
export function answerBrowser(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const asksForPage =
    request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  if (!(error instanceof ApiProblem) || error.code !== 'insecure_address' || !asksForPage)
    throw error;
  return reply.code(error.status).type('text/html; charset=utf-8').send(pageOf(error.message));
}

const pageOf = (message: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>The dashboard is closed at this address</title>
<h1>The dashboard is closed at this address</h1>
<p>${escaped(message)}.</p>
<p>If this is not your machine, ask its owner for the right address.</p>
</html>
`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
