import { randomUUID } from 'node:crypto';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { contract } from '../contract/contract.ts';
import { type Operation, walk } from '../contract/operations.ts';
import type { ProblemCode } from '../contract/problems.ts';
import type { Caller } from './context.ts';
import type { KeyUsage } from './dashboard/key-usage.ts';
import { addDashboard, type DashboardOptions } from './dashboard/routes.ts';
import { DatabaseFull, DatabaseUnavailable } from './database/failures.ts';
import { findKey } from './database/holders.ts';
import { SourceUrlProblem } from './files/source-url.ts';
import { StorageFull, StorageUnavailable } from './files/store.ts';
import { addDocs, docsPaths } from './http/docs.ts';
import type { Metrics } from './http/metrics.ts';
import type { Limiter } from './http/rate-limits.ts';
import { createReadinessCheck } from './http/readiness.ts';
import { type DrainBounds, defaultDrain, drainUnreadBodies } from './http/refused-bodies.ts';
import { clientAddress, requireSingleHeaders } from './http/request.ts';
import { sendDescription } from './http/responses.ts';
import { addRoute, commonBodyLimit } from './http/routes.ts';
import { authenticate, type KnownKey } from './keys.ts';
import { ApiProblem } from './problem.ts';
import { shareNext } from './share-next.ts';
import type { Services } from './stores.ts';
import { filesWarning, findWarnings } from './warnings.ts';

const basePath = '/api/v1';
const descriptionPath = `${basePath}/openapi.json`;
/** A request must arrive within this time, so that a slow caller can't hold a connection. */
const requestTimeoutMs = 120_000;

export interface AppOptions {
  readonly services: Services;
  readonly logger?: FastifyBaseLogger;
  readonly onCaller?: (caller: Caller) => void;
  /** Called for each answer to a key. */
  readonly onAnswer?: KeyUsage['count'];
  readonly limiter: Limiter;
  /** Requests are measured and /metrics is served if given. */
  readonly metrics?: Metrics;
  /** Trusted proxies, whose X-Forwarded-For is used: addresses and CIDR ranges. */
  readonly trustProxy?: readonly string[];
  /** How much of a refused body is read. */
  readonly drain?: DrainBounds;
  /** How long a stopping service waits for requests on connections that were in use (default: a second). */
  readonly quietMs?: number;
  /** Serves the team dashboard below /dashboard if given. */
  readonly dashboard?: DashboardOptions;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    /** The key that the caller has, also a refused one. Only where answers to keys are counted. */
    knownKey?: KnownKey;
  }
  interface FastifyContextConfig {
    operation?: string;
    /** It sends or fetches a file. */
    upload?: true;
  }
}

/** The HTTP service: a route for each operation of the contract, and problems for everything else. */
export function createApp({
  services,
  logger,
  onCaller,
  onAnswer,
  limiter,
  metrics,
  trustProxy = [],
  drain = defaultDrain,
  quietMs = 1_000,
  dashboard,
}: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: commonBodyLimit,
    requestTimeout: requestTimeoutMs,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // An undecodable path: no hook has run, and the body won't be read.
    frameworkErrors: (error, request, reply) =>
      fail(error, request, setPrivateHeaders(request, reply).header('connection', 'close')),
    clientErrorHandler: (_error, socket) => rejectMalformed(socket),
    // The router's limit protects routes with patterns of their own. We have none, and a long id simply isn't found.
    routerOptions: { maxParamLength: 16_384 },
    // Node would answer these without a body.
    http: { requireHostHeader: false },
  }) as unknown as FastifyInstance;
  // Node would answer an unknown `Expect` header with 417 and no body; the interface ignores the header.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );

  app.decorateRequest('caller', undefined);
  app.decorateRequest('knownKey', undefined);
  // Bodies are parsed later, since a missing record in the path (404) is reported before anything about the body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('onRequest', async (request, reply) => void setPrivateHeaders(request, reply));
  drainUnreadBodies(app, drain);
  app.addHook('onResponse', async (request, reply) => logResponse(request, reply));
  if (metrics) collectMetrics(app, metrics);
  endConnectionsOnClose(app, quietMs);
  app.setErrorHandler<FastifyError>((error, request, reply) => fail(error, request, reply));

  const operations = [...walk(contract)];
  const others = [
    ...docsPaths,
    descriptionPath,
    '/healthz',
    '/readyz',
    ...(metrics ? ['/metrics'] : []),
  ];
  // Bodies of unknown routes aren't read.
  app.addHook('onRequest', async (request) => {
    requireSingleHeaders(request.raw);
    if (request.is404) throw unknownRoute(operations, others, request);
  });
  const preconditions = headersOfPreconditions(operations);
  const find = shareNext((prefix) => findKey(services.database.read, prefix));
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const noteKey = (key: KnownKey) => {
      if (onAnswer) request.knownKey = key;
    };
    const caller = await authenticate(find, request.raw, new Date(), noteKey).catch(
      async (error: unknown) => {
        if (error instanceof ApiProblem && error.status === 401)
          await limiter.failedKey(clientAddress(request));
        throw error;
      },
    );
    onCaller?.(caller);
    return caller;
  };
  app.addHook('onResponse', async ({ knownKey, routeOptions }, reply) => {
    if (knownKey)
      onAnswer?.({
        ...knownKey,
        status: reply.statusCode,
        upload: routeOptions.config.upload ?? false,
      });
  });
  for (const operation of operations)
    addRoute(app, operation, { services, prefix: basePath, identify, limiter, preconditions });
  if (dashboard) addDashboard(app, { services, limiter, preconditions, ...dashboard });
  addDocs(app, { limiter, hasDashboard: dashboard !== undefined });
  app.get(descriptionPath, sendDescription);
  app.get('/healthz', async () => ({ status: 'ok' }));
  const requireReady = createReadinessCheck(services);
  const warnings = findWarnings(services.database);
  app.get('/readyz', async (request, reply) => {
    const files = await requireReady();
    if (files) request.log.error({ err: files.cause }, 'files not writable');
    const all = files ? [...warnings, filesWarning(files.reason)] : warnings;
    return reply.send({ status: 'ready', ...(all.length > 0 && { warnings: all }) });
  });
  return app;
}

/** Headers of every response: it is for this caller only. */
const setPrivateHeaders = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .header('x-request-id', request.id)
    .header('cache-control', 'private, no-store')
    .header('vary', 'authorization, x-api-key');

/**
 * A stopping service accepts no connection, and answers say `connection: close`. Connections that were in use may have sent another
 * request already, and closing one would lose it: those that stay quiet are closed once `quietMs` have passed since the last answer
 * that let them go on.
 */
function endConnectionsOnClose(app: FastifyInstance, quietMs: number): void {
  let state: 'serving' | 'stopping' | 'closing' = 'serving';
  let lastAnswer = -quietMs;
  const { promise: allClosed, resolve: noteAllClosed } = Promise.withResolvers<void>();
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (state !== 'serving' && open.size === 0) noteAllClosed();
    });
  });
  app.addHook('preClose', async () => {
    state = 'stopping';
    // That of the HTTP server would also close connections with requests that it hasn't read yet.
    TcpServer.prototype.close.call(app.server);
    if (open.size === 0) noteAllClosed();
    const ended = new AbortController();
    const leftMs = Math.max(0, lastAnswer + quietMs - performance.now());
    await Promise.race([wait(leftMs, undefined, { signal: ended.signal }), allClosed]);
    ended.abort();
    state = 'closing';
    // Opened in advance, as browsers do: Node counts one without a request among those in use.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (state === 'serving') lastAnswer = performance.now();
    else reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    // An answer that began before the stop.
    if (state === 'closing') setImmediate(() => app.server.closeIdleConnections());
  });
}

/** Aborted requests count as 499, as in other servers. */
function collectMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    const ended = metrics.started();
    reply.raw.once('close', () =>
      ended(
        request.routeOptions.config.operation ?? 'none',
        request.method,
        reply.raw.writableFinished ? reply.statusCode : 499,
      ),
    );
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}

/** Tells clients, before their first write, which preconditions have an effect. */
const headersOfPreconditions = (operations: readonly Operation[]): string =>
  [
    ...new Set(
      operations.flatMap(({ preconditions = {} }) =>
        Object.values(preconditions).map(({ header }) => header),
      ),
    ),
  ].join(', ');

function unknownRoute(
  operations: readonly Operation[],
  others: readonly string[],
  request: FastifyRequest,
): ApiProblem {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = operations
    .filter((operation) => pattern(operation.path).test(path))
    .map((operation) => operation.method);
  if (others.includes(path)) methods.push('GET');
  if (methods.length === 0)
    return new ApiProblem('route_not_found', `No such path: ${request.method} ${path}`);
  return new ApiProblem(
    'method_not_allowed',
    `${request.method} isn't allowed on ${path}; use ${methods.join(', ')}`,
    {
      allowed: methods,
    },
  );
}

const pattern = (path: string) => new RegExp(`^${basePath}${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Framework errors that the caller caused, by their code. */
const framework: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The body must be application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', "Content-Length doesn't match the body"],
  FST_ERR_BAD_URL: ['route_not_found', 'Malformed path'],
};

function fail(
  error: FastifyError | ApiProblem | StorageUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = problemOf(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
  if (refusal instanceof SourceUrlProblem)
    request.log.info({ code: refusal.code, ...refusal.attempt }, 'sourceUrl not downloaded');
  if (refusal.code === 'rate_limited')
    reply.header('retry-after', (refusal.details as { retryAfter: number }).retryAfter);
  if (refusal.code === 'unsupported_media_type') reply.header('accept-encoding', 'identity');
  if (refusal.code === 'method_not_allowed')
    reply.header('allow', (refusal.details as { allowed: string[] }).allowed.join(', '));
  reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body()));
}

function problemOf(error: FastifyError | ApiProblem | StorageUnavailable): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof StorageFull || error instanceof DatabaseFull)
    return new ApiProblem('storage_full', `${error.message}; nothing was stored`);
  if (error instanceof StorageUnavailable || error instanceof DatabaseUnavailable)
    return new ApiProblem('unavailable', error.message);
  const known = 'code' in error ? framework[error.code] : undefined;
  if (known) return new ApiProblem(...known);
  if ('statusCode' in error && error.statusCode && error.statusCode < 500)
    return new ApiProblem('bad_request', error.message);
  return new ApiProblem(
    'internal_error',
    'Internal error; the service log has its cause under the request id',
  );
}

/** For sockets without a parsed request, so no hooks have run. */
function rejectMalformed(
  socket: NodeJS.WritableStream & { writable: boolean; destroy(): void },
): void {
  const body = JSON.stringify(new ApiProblem('bad_request', 'Malformed HTTP request').body());
  if (socket.writable) {
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nX-Request-Id: ${randomUUID()}\r\nCache-Control: private, no-store\r\nVary: authorization, x-api-key\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  } else socket.destroy();
}

/** One log line per request, without headers, query and body: keys and personal data stay out of the log. */
function logResponse(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      team: request.caller?.team.slug,
      key: request.session?.role ?? request.caller?.keyName,
      client: clientAddress(request),
    },
    'request',
  );
}
