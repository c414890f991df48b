/** The files of the dashboard's pages, which `npm run build` makes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentName } from '../files/store.ts';
import { ApiProblem } from '../problem.ts';

const isBuilt = import.meta.url.endsWith('.js');
const builtFolder = fileURLToPath(
  new URL(isBuilt ? '../dashboard/' : '../../../dist/dashboard/', import.meta.url),
);
const yearInSeconds = 365 * 24 * 60 * 60;

interface Pages {
  readonly folder: string;
  /** The same for the same files. */
  readonly build: string;
}

/** Undefined where they weren't built. */
export async function readPages(folder = builtFolder): Promise<Pages | undefined> {
  const page = await readFile(join(folder, 'page.html')).catch(() => undefined);
  return page && { folder, build: contentName(page).slice(0, 12) };
}

/** Names of files have a dot, and those of pages none. A file of an earlier build is gone. */
function requirePage({ method, url }: FastifyRequest): void {
  const [path = ''] = url.split('?', 1);
  const names = path.split('/').slice(2);
  if (names[0] === 'api' || names.at(-1)?.includes('.'))
    throw new ApiProblem('route_not_found', `No such path: ${method} ${path}`);
}

/** Every address that is neither a file nor below the interface is a page: the browser decides which. */
export async function addPages(scope: FastifyInstance, pages: Pages | undefined): Promise<void> {
  if (!pages) {
    scope.get('/*', async (request) => {
      requirePage(request);
      throw new ApiProblem(
        'dashboard_not_built',
        'The pages of the dashboard are missing: run npm run build, then start the service again',
      );
    });
    return;
  }
  await scope.register(fastifyStatic, {
    root: pages.folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: keepInBrowser,
  });
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    requirePage(request);
    return reply.sendFile('page.html');
  };
  scope.get('/', page);
  scope.get('/*', page);
}

/** A file has the hash of its content in its name, so it never changes; the page names the present ones, and is kept nowhere. */
function keepInBrowser(reply: FastifyReply, path: string): void {
  const isPage = /page\.html(\.br|\.gz)?$/.test(path);
  reply
    .header('cache-control', isPage ? 'no-store' : `public, max-age=${yearInSeconds}, immutable`)
    .header('vary', 'accept-encoding');
}
