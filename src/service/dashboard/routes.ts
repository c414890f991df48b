/** Everything below /dashboard: pages, signing in, the dashboard's own interface, and the reads of the public one for signed-in browsers. */
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../contract/contract.ts';
import { dashboardContract } from '../../contract/dashboard/dashboard.ts';
import { type Role, staffOperations, workOperations } from '../../contract/dashboard/roles.ts';
import { walk } from '../../contract/operations.ts';
import { missingScope, type Scope, scopes } from '../../contract/scopes.ts';
import type { Caller } from '../context.ts';
import { clientAddress, readQuery } from '../http/request.ts';
import { pageHeaders } from '../http/responses.ts';
import { addRoute, bodyOf, commonBodyLimit, type RouteOptions } from '../http/routes.ts';
import { ApiProblem } from '../problem.ts';
import {
  actorOf,
  type BrowserSession,
  findSession,
  noteSeen,
  type Origin,
  requireLive,
  type StartedSession,
} from '../team/sessions.ts';
import { createUnknownAddresses, type UnknownAddresses } from '../team/unknown-addresses.ts';
import { deviceOf } from './device.ts';
import { createEvents, type EventTiming, readStamp } from './events.ts';
import { addPages, readPages } from './pages.ts';
import { createPictures } from './pictures.ts';
import { answerBrowser } from './refused-page.ts';
import { dashboardWork } from './requests.ts';
import {
  type AddressPolicy,
  isEncrypted,
  originOf,
  requireSafeAddress,
  requireSameOrigin,
} from './same-origin.ts';
import { readSheet } from './sheet.ts';
import { askForLink, changePassword, openLink, readLink, signIn, signOut } from './sign-in.ts';
import { keepScreensToWall } from './wall.ts';
import { noteWork } from './work-log.ts';

export interface DashboardOptions extends AddressPolicy {
  /** Mail can be sent, so a forgotten password can be replaced. */
  readonly mail: boolean;
  /** How often open pages are told of changes. */
  readonly events?: EventTiming;
  /** Waits of addresses without an account (default: those of this process). */
  readonly unknown?: UnknownAddresses;
}

interface Options
  extends DashboardOptions,
    Pick<RouteOptions, 'services' | 'limiter' | 'preconditions'> {
  /** Names the version of the pages, if there are any: an open page of another version loads itself again. */
  readonly build: string | undefined;
  readonly unknown: UnknownAddresses;
}

declare module 'fastify' {
  interface FastifyRequest {
    session?: BrowserSession;
  }
}

const interfacePath = '/api/v1';

/** No code but our own files runs in the page, and nothing is asked of another host. */
const policy = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

const ofWall = ['read:cars', 'read:parking', 'read:locations', 'read:appointments'] as const;
const ofWork = ['write:cars', 'write:parking', 'write:locations', 'write:appointments'] as const;

/** What a session may do of the public interface: of its writes the few that have a route here; of its reads, a screen what a wall shows. */
const allowed: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  admin: new Set([...scopes.filter((scope) => scope.startsWith('read:')), ...ofWork]),
  staff: new Set([...ofWall, 'read:customers', ...ofWork]),
  screen: new Set(ofWall),
};

export function addDashboard(
  app: FastifyInstance,
  given: Omit<Options, 'build' | 'unknown'> & Pick<DashboardOptions, 'unknown'>,
): void {
  app.register(
    async (scope) => {
      const pages = readPages();
      const options = {
        ...given,
        build: pages?.build,
        unknown: given.unknown ?? createUnknownAddresses(),
      };
      await scope.register(cookie);
      scope.decorateRequest('session', undefined);
      scope.setErrorHandler(answerBrowser);
      scope.addHook('onRequest', async (request, reply) => {
        reply.headers({ ...pageHeaders, ...policy });
        if (options.publicUrl?.protocol === 'https:')
          reply.header('strict-transport-security', 'max-age=31536000');
        requireSafeAddress(request, options);
        requireSameOrigin(request, options);
      });
      addSignIn(scope, options);
      await scope.register(async (records) => {
        keepScreensToWall(records);
        addInterface(records, options);
      });
      addLive(scope, options);
      addSheets(scope, options);
      await scope.register(async (files) => {
        // Nobody needs a session for these.
        files.addHook(
          'onRequest',
          async (request) => await options.limiter.visit(clientAddress(request)),
        );
        await addPages(files, pages);
      });
    },
    { prefix: '/dashboard' },
  );
}

/** The dashboard's own operations, and of the public interface every read and the writes of people at work, each by role. */
function addInterface(scope: FastifyInstance, options: Options): void {
  const { services, limiter, preconditions } = options;
  const identify =
    (mayDo: (session: BrowserSession) => boolean) =>
    async (request: FastifyRequest): Promise<Caller> => {
      const session = await requireSession(request, options);
      if (!mayDo(session)) throw roleNeeded();
      return callerOf(session);
    };
  const common = { services, limiter, preconditions, prefix: interfacePath };
  for (const operation of walk(contract))
    if (operation.method === 'GET' || workOperations.includes(operation.id))
      addRoute(scope, operation, {
        ...common,
        identify: identify(({ role }) => !missingScope(operation.scope, allowed[role])),
      });
  for (const operation of walk(dashboardContract)) {
    const isForStaff = staffOperations.includes(operation.id);
    addRoute(scope, operation, {
      ...common,
      identify: identify(({ role }) => role === 'admin' || (isForStaff && role === 'staff')),
      workOf(request, ids) {
        // For somebody else, who may not reach the address that this admin uses.
        const origin = options.publicUrl?.origin ?? originOf(request, options);
        const linkTo = (token: string) => `${origin}/dashboard/link#${token}`;
        const session = request.session as BrowserSession;
        return dashboardWork(services, { operation, session, ids, linkTo });
      },
    });
  }
}

/** What changes, as it changes, and pictures. */
function addLive(scope: FastifyInstance, options: Options): void {
  const { services, limiter } = options;
  const events = createEvents(services.database, {
    build: options.build,
    timing: options.events,
  });
  const readPicture = createPictures(services);
  // Before the server waits for open answers, which these would be for ever.
  scope.addHook('preClose', async () => events.close());
  scope.get('/events', async (request, reply) => {
    const session = await requireSession(request, options);
    await limiter.stream(session.id);
    const secret = secretOf(request, options);
    const isAlive = async () =>
      (await findSession(services.database, secret, new Date())) !== undefined;
    const stream = await events.watch(session, isAlive);
    // A proxy such as nginx would keep events back until it has a page of them.
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream);
  });
  scope.get<{ Params: { id: string } }>(
    '/photos/:id',
    { config: { operation: 'carPhotos.picture' } },
    async (request, reply) => {
      const signal = untilLeft(reply);
      const { id, team, role } = await requireSession(request, options);
      if (role === 'screen') throw roleNeeded();
      await limiter.picture(id);
      const wanted = {
        team,
        id: request.params.id.toLowerCase(),
        width: readQuery(request.url).width,
        signal,
      };
      const picture = await readPicture(wanted);
      return reply
        .header('cache-control', 'private, max-age=31536000, immutable')
        .type('image/webp')
        .send(picture);
    },
  );
}

/** A sheet to print. Whoever isn't signed in goes to the page of the car, which asks. */
function addSheets(scope: FastifyInstance, options: Options): void {
  scope.get<{ Params: { id: string } }>('/sheets/:id', async (request, reply) => {
    const session = await readSession(request, options);
    const carId = request.params.id.toLowerCase();
    if (!session) return reply.redirect(`/dashboard/cars/${encodeURIComponent(carId)}`);
    const { id, team, role } = session;
    if (missingScope({ all: ['read:cars', 'read:customers'] }, allowed[role])) throw roleNeeded();
    await options.limiter.picture(id);
    const { event, compare } = readQuery(request.url);
    const { read: db } = options.services.database.ofTeam(team.id);
    const wanted = {
      carId,
      eventId: event === undefined ? undefined : String(event).toLowerCase(),
      isCompared: compare !== undefined,
    };
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(await readSheet({ db, team }, wanted));
  });
}

/** Aborts when the browser ends the connection before it has its answer. */
function untilLeft(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort(new ApiProblem('bad_request', 'The browser has left')));
  return left.signal;
}

function addSignIn(scope: FastifyInstance, options: Options): void {
  const { services, limiter } = options;
  // The stamp is older than all that the page reads after it, so the page can tell what changed since.
  const about = async (session: BrowserSession) => ({
    data: {
      ...describe(session, options),
      stamp: await readStamp(services.database.read, session.team.id),
    },
  });
  const post = (
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) => scope.post(path, { bodyLimit: commonBodyLimit }, handler);

  // Not an error for a browser that nobody has signed in on yet: the page asks before it shows anything.
  scope.get('/session', async (request) => {
    const session = await readSession(request, options);
    return session ? about(session) : { data: null, mail: options.mail };
  });
  post('/session', async (request, reply) => {
    await limiter.signIn(clientAddress(request));
    return about(
      keep(
        request,
        reply,
        await signIn(services, bodyOf(request), {
          origin: whereFrom(request),
          unknown: options.unknown,
        }),
        options,
      ),
    );
  });
  scope.delete('/session', async (request, reply) => {
    await signOut(services, await requireSession(request, options));
    reply.clearCookie(cookieOf(request, options).name, cookieOf(request, options).attributes);
    return { data: { deleted: true } };
  });
  post('/link', async (request) => {
    await limiter.signIn(clientAddress(request));
    return { data: await readLink(services, bodyOf(request)) };
  });
  post('/link/use', async (request, reply) => {
    await limiter.signIn(clientAddress(request));
    return about(
      keep(request, reply, await openLink(services, bodyOf(request), whereFrom(request)), options),
    );
  });
  post('/session/forgotten', async (request, reply) => {
    await limiter.signIn(clientAddress(request));
    if (!options.mail)
      throw new ApiProblem(
        'unavailable',
        'This service sends no e-mail; ask the owner of the machine for a link',
      );
    await askForLink(services, bodyOf(request), whereFrom(request));
    return reply.code(202).send({ data: { sent: true } });
  });
  scope.put('/session/password', async (request) => {
    await limiter.signIn(clientAddress(request));
    const session = await requireSession(request, options);
    await changePassword(services, session, bodyOf(request));
    return about(session);
  });
}

/** 401 without a session, with what the form to sign in needs to know. */
async function requireSession(request: FastifyRequest, options: Options): Promise<BrowserSession> {
  const session = await readSession(request, options);
  if (!session)
    throw new ApiProblem('sign_in_required', 'Sign in to go on', { mail: options.mail });
  return session;
}

/** The session of the request. Those without one have a limit for each network. */
async function readSession(
  request: FastifyRequest,
  options: Options,
): Promise<BrowserSession | undefined> {
  const { database } = options.services;
  const now = new Date();
  const session = await findSession(database, secretOf(request, options), now);
  if (!session) {
    await options.limiter.visit(clientAddress(request));
    return undefined;
  }
  request.session = session;
  await noteSeen(database, session, now).catch(() => undefined);
  return session;
}

const roleNeeded = () => new ApiProblem('role_needed', 'Only a team admin may do this');

const callerOf = (session: BrowserSession): Caller => ({
  team: session.team,
  keyId: session.id,
  keyName: actorOf(session),
  scopes: allowed[session.role],
  expiresAt: null,
  person: {
    id: session.adminId ?? session.id,
    requireLive: (context) => requireLive(context, session, new Date()),
    note: (context, operation, written) => noteWork(context, actorOf(session), operation, written),
  },
});

const secretOf = (request: FastifyRequest, options: AddressPolicy): string | undefined =>
  request.cookies[cookieOf(request, options).name];

/** Over https, the name alone makes browsers refuse a cookie that another host or path of the site has set. */
function cookieOf(request: FastifyRequest, options: AddressPolicy) {
  const common = { httpOnly: true, sameSite: 'strict' } as const;
  return isEncrypted(request, options)
    ? { name: '__Host-cs_session', attributes: { ...common, path: '/', secure: true } }
    : { name: 'cs_session', attributes: { ...common, path: '/dashboard' } };
}

/** Gives the browser its session. */
function keep(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, secret, maxAge }: StartedSession,
  options: Options,
): BrowserSession {
  const { name, attributes } = cookieOf(request, options);
  reply.setCookie(name, secret, { ...attributes, maxAge });
  return session;
}

const whereFrom = (request: FastifyRequest): Origin => ({
  device: deviceOf(request.headers['user-agent']),
  address: clientAddress(request),
});

/** What the page shows about the session. */
const describe = (
  { role, name, email, team, endsAt }: BrowserSession,
  { mail, build }: Options,
) => ({
  role,
  name,
  email,
  team,
  endsAt,
  mail,
  build,
});
