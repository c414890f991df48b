/** The first page of the service and the documentation of its interface, which `npm run build` makes. Nobody needs a key for them. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { readPart } from '../../parts.ts';
import { ApiProblem } from '../problem.ts';
import type { Limiter } from './rate-limits.ts';
import { clientAddress } from './request.ts';
import { chooseCoding, pageHeaders } from './responses.ts';

export const docsPaths = ['/', '/docs'] as const;

/** `hasDashboard`: whether the first page leads to it. */
export function addDocs(
  app: FastifyInstance,
  { limiter, hasDashboard }: { readonly limiter: Limiter; readonly hasDashboard: boolean },
): void {
  app.get('/', async (request, reply) => {
    await limiter.visit(clientAddress(request));
    const page = read('home.html').toString();
    return reply
      .headers(headersOf(page))
      .send(hasDashboard ? page : page.replace(/^.*href="\/dashboard\/".*\n/m, ''));
  });
  const endings = { br: '.br', gzip: '.gz', identity: '' } as const;
  let headers: Record<string, string> | undefined;
  app.get('/docs', async (request, reply) => {
    await limiter.visit(clientAddress(request));
    const coding = chooseCoding(request.headers['accept-encoding']);
    headers ??= headersOf(read('docs.html').toString());
    reply.headers(headers).header('vary', 'accept-encoding');
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.send(read(`docs.html${endings[coding]}`));
  });
}

function read(name: string): Buffer {
  try {
    return readPart(`docs/${name}`);
  } catch {
    throw new ApiProblem('route_not_found', 'This page is missing: run npm run build');
  }
}

/** The page has one style and no script. */
function headersOf(page: string): Record<string, string> {
  const [style = ''] = page.split('<style>', 2)[1]?.split('</style>', 1) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    ...pageHeaders,
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'content-type': 'text/html; charset=utf-8',
  };
}
