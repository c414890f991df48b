/** The routes of a contract's operations. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../contract/operations.ts';
import type { Caller } from '../context.ts';
import { recordsWork, type Work } from '../crud.ts';
import { dispatch, requireScope } from '../requests.ts';
import type { Services } from '../stores.ts';
import type { Limiter } from './rate-limits.ts';
import { readQuery, requirePlainBody } from './request.ts';
import { sendBytes } from './responses.ts';

/** Body limit of everything but uploads, in bytes: several times the longest text field. */
export const commonBodyLimit = 256 * 1024;

export interface RouteOptions {
  readonly services: Services;
  /** What comes before the operation's own path. */
  readonly prefix: string;
  /** Who calls; throws if nobody may. */
  readonly identify: (request: FastifyRequest) => Promise<Caller>;
  readonly limiter: Limiter;
  /** The answer's `Accept-Preconditions`. */
  readonly preconditions: string;
  /** Default: that of the public interface. */
  readonly workOf?: (request: FastifyRequest, ids: readonly string[]) => Work;
}

/** Method, address and the checks before the body arrives (caller, limits, scope), then the rest. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation,
  { services, prefix, identify, limiter, preconditions, workOf }: RouteOptions,
): void {
  app.route({
    method: operation.method,
    config: { operation: operation.id, upload: operation.upload },
    url: prefix + operation.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: operation.bodyLimit ?? commonBodyLimit,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await identify(request);
      request.caller = caller;
      try {
        await limiter.request(caller, operation);
      } finally {
        reply.headers(limiter.headers(caller, operation));
      }
      requireScope(caller, operation.scope);
      if (operation.body) requirePlainBody(request.raw);
    },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>;
      const ids = operation.params.map((name) => params[name] ?? '');
      const caller = request.caller as Caller;
      const result = await dispatch(services, {
        operation,
        caller,
        work: workOf?.(request, ids) ?? recordsWork(services, { operation, caller, ids }),
        // A getter, since records in the path are checked first.
        get query() {
          return readQuery(request.url);
        },
        body: bodyOf(request),
        url: request.url,
        headers: request.headers,
      });
      if ('bytes' in result) return sendBytes(request, reply, result.bytes);
      // What the service promises, on every answer, so that a program knows it from its first request on.
      reply.header('accept-preconditions', preconditions).header('total-of', 'all-pages');
      if (result.replayed) reply.header('idempotent-replayed', 'true');
      return reply.code(result.status).type('application/json; charset=utf-8').send(result.json);
    },
  });
}

export const bodyOf = (request: FastifyRequest): Buffer =>
  (request.body as Buffer | undefined) ?? Buffer.alloc(0);
