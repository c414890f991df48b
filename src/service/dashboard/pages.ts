/** The files of the dashboard's pages, which `npm run build` makes. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { partsIn, readPart } from '../../parts.ts';
import { contentName } from '../files/store.ts';
import { chooseCoding } from '../http/responses.ts';
import { ApiProblem } from '../problem.ts';

const yearInSeconds = 365 * 24 * 60 * 60;

interface Pages {
  /** The bytes by the name of the file; `.br` and `.gz` are the same file, smaller. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The same for the same files. */
  readonly build: string;
}

/** Undefined where they weren't built. */
export function readPages(): Pages | undefined {
  try {
    const files = new Map(
      partsIn('dashboard').map((name) => [name, readPart(`dashboard/${name}`)] as const),
    );
    const page = files.get('page.html');
    return page && { files, build: contentName(page).slice(0, 12) };
  } catch {
    return undefined;
  }
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Every address that is neither a file nor below the interface is a page: the browser decides which. */
export async function addPages(scope: FastifyInstance, pages: Pages | undefined): Promise<void> {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1);
    const [first, ...rest] = path.split('/').slice(2);
    const name = rest.length === 0 && first?.includes('.') ? first : undefined;
    // Names of files have a dot, and those of pages none. A file of an earlier build is gone.
    if (
      first === 'api' ||
      (!name && rest.at(-1)?.includes('.')) ||
      (name && !pages?.files.has(name))
    )
      throw new ApiProblem('route_not_found', `No such path: ${request.method} ${path}`);
    if (!pages)
      throw new ApiProblem(
        'dashboard_not_built',
        'The pages of the dashboard are missing: run npm run build, then start the service again',
      );
    return answer(request, reply, pages, name ?? 'page.html');
  };
  scope.get('/', send);
  scope.get('/*', send);
}

const endings = { br: '.br', gzip: '.gz', identity: '' } as const;

/** A file has the hash of its content in its name, so it never changes; the page names the present ones, and is kept nowhere. */
function answer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { files }: Pages,
  name: string,
): Buffer | undefined {
  const coding = chooseCoding(headers['accept-encoding']);
  const smaller = files.get(name + endings[coding]);
  if (smaller && coding !== 'identity') reply.header('content-encoding', coding);
  const isPage = name === 'page.html';
  reply
    .header('cache-control', isPage ? 'no-store' : `public, max-age=${yearInSeconds}, immutable`)
    .header('vary', 'accept-encoding')
    .type(types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream');
  return smaller ?? files.get(name);
}
