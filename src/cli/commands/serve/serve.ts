import { isIP } from 'node:net';
import { relative } from 'node:path';
import { isLoopback } from '../../../client/address.ts';
import type { ExposedPaths } from '../../../service/data-folder/private-files.ts';
import type { RateLimits } from '../../../service/http/rate-limits.ts';
import type { Transport } from '../../../service/outbox/transport.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { type Command, type CommandBuilder, Option, suggestValues } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { wholeNumber } from '../../framework/flags.ts';
import { write } from '../../terminal/io.ts';
import { quote } from '../../terminal/text.ts';
import { type DataPlace, databaseFlag, dataFlag, dataPlace, onNewData, poolerFlag, shownDatabase } from '../data/data-folder.ts';

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const serve: CommandBuilder = (command) => {
  command
    .description(
      'Run the service on this machine, until Ctrl-C or SIGTERM. Nothing needs to be set up.\nLogs go to stderr: lines for a person, JSON otherwise.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any free one', wholeNumber, 8787)
    .option(...dataFlag)
    .option(...databaseFlag)
    .option(...poolerFlag)
    .option('--database-connections <number>', 'connections to the PostgreSQL that this process keeps at most', wholeNumber, 10)
    .option('--smtp-url <url>', 'mail server that e-mail is handed to: smtp://user:password@host:587 or smtps://… (CS_SMTP_URL)')
    .option('--smtp-from <address>', 'who writes: address, or Name <address> (CS_SMTP_FROM)')
    .option(
      '--trust-proxy <addresses>',
      'reverse proxies that tell the address of the client in X-Forwarded-For: addresses and ranges such as 10.0.0.0/8, with commas between them (CS_TRUST_PROXY)',
    )
    .option('--metrics', 'answer Prometheus metrics at /metrics, to anyone who reaches the port')
    .addOption(suggestValues(new Option('--log-level <level>', levels.join(', ')).default('info'), levels))
    .handle(async (context, { options }) => {
      const { host, port, logLevel, databaseConnections: connections } = options;
      if (port > 65_535) throw usage(`--port must be 0 to 65535, not ${port}.`, 'give another, or --port 0 for any free one');
      if (!levels.includes(logLevel)) throw usage(`"${logLevel}" is not a value of --log-level.`, `choose one of ${levels.join(', ')}`);
      if (connections < 1) throw usage('--database-connections 0 leaves no way to the database.', 'give 1 or more');
      const smtp = { url: options.smtpUrl ?? context.io.env.CS_SMTP_URL, from: options.smtpFrom ?? context.io.env.CS_SMTP_FROM };
      await run(context, {
        host,
        port,
        logLevel,
        place: dataPlace(context.io, options),
        connections,
        transports: await transportsOf(smtp),
        rateLimits: limitsOf(options),
        metrics: options.metrics,
        trustProxy: readProxies(options.trustProxy ?? context.io.env.CS_TRUST_PROXY ?? ''),
      });
    });
  addLimitFlags(command);
  command.examples([
    'cs serve',
    'cs serve --port 0 --data ./try-out',
    '# e-mail goes out; CS_SMTP_URL hides a password better than a flag',
    "CS_SMTP_URL=smtp://garage:secret@mail.example.com:587 cs serve --smtp-from 'The Garage <office@example.com>'",
    '# several services on one PostgreSQL, with a data folder that they share',
    'CS_DATABASE=postgres://cars:secret@db.example.com/cars cs serve --data /mnt/shared/cars',
    '# behind a reverse proxy on this machine that adds TLS (docs/operating.md)',
    'cs serve --trust-proxy 127.0.0.1 --data /srv/cars',
    '# other machines reach it without TLS: only for a proxy on another machine',
    'cs serve --host 0.0.0.0 --trust-proxy 10.0.0.5 --data /srv/cars',
  ]);
};

interface Options {
  host: string;
  port: number;
  logLevel: string;
  place: DataPlace;
  connections: number;
  transports: readonly Transport[];
  rateLimits: Partial<RateLimits>;
  metrics: boolean | undefined;
  trustProxy: readonly string[];
}

async function run(context: Context, { logLevel, place, connections, ...options }: Options): Promise<void> {
  const { host, port, transports } = options;
  const { io } = context;
  const [{ startService }, { createLog }] = await Promise.all([import('../../../service/start.ts'), import('../../../service/log.ts')]);
  const logger = createLog({ level: logLevel, stream: io.stderr, pretty: io.stderrIsTerminal });
  const service = await onNewData(place, () =>
    startService({ ...options, ...place, limits: { connections }, logger }).catch((error: unknown) =>
      Promise.reject(cannotListen(error, host, port) ?? error),
    ),
  );
  try {
    await announce(context, place, { ...service, silent: transports.length === 0 });
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      io.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    context.note('Stopping: finishing open requests.');
  } finally {
    // Also where nobody could be told of it: a service that nobody knows of must not go on.
    await service.close();
  }
  context.note('Stopped.');
}

interface Announced {
  readonly url: string;
  readonly teams: number;
  /** Messages that are to go out. */
  readonly waiting: number;
  /** Nothing carries them. */
  readonly silent: boolean;
  readonly exposedPaths: ExposedPaths;
}

function warnOfOpenPaths(warn: Context['warn'], data: string, { closed, open }: ExposedPaths): void {
  const named = (paths: readonly string[]) => paths.map((path) => relative(data, path) || data).join(', ');
  if (closed.length > 0) warn(`Other users of this machine had access to the data until now. Closed: ${named(closed)}.`);
  if (open.length > 0) {
    warn(`Other users of this machine have access to the data: ${named(open)}.`);
    warn(`hint: close it with \`chmod go= ${open.map(quote).join(' ')}\``);
  }
}

/** Where it is, on stdout for whoever waits for that, and what is still to be done. */
async function announce({ io, output, paint, note, warn }: Context, place: DataPlace, service: Announced): Promise<void> {
  const { data } = place;
  const database = place.database && shownDatabase(place.database);
  const where = database ? `records in ${database}, files in ${data}` : `data in ${data}`;
  const ready =
    output.format === 'table'
      ? `${paint.good('Ready')} at ${service.url}, ${where}. Ctrl-C stops it.\n`
      : `${JSON.stringify({ url: service.url, data, database })}\n`;
  await write(io.stdout, ready);
  if (!isLoopback(new URL(service.url).hostname)) {
    warn('Other machines can reach the service, and it has no TLS: whoever is on the way can read keys and data.');
    warn('hint: put a reverse proxy with TLS in front (docs/operating.md), and let only the proxy reach this port');
  }
  warnOfOpenPaths(warn, data, service.exposedPaths);
  if (service.teams === 0) note('No team exists yet. In another terminal: cs admin team create "My garage"');
  if (service.silent) {
    const waiting = service.waiting > 0 ? ` Waiting now: ${service.waiting}.` : '';
    note(`Outgoing e-mail stays queued until the service is started with --smtp-url.${waiting}`);
  }
}

/** Addresses and CIDR ranges. A range of everybody would let every caller choose the address that it is counted by. */
function readProxies(list: string): string[] {
  const proxies = list.split(',').flatMap((entry) => entry.trim() || []);
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const version = isIP(address);
    const known = version !== 0 && !address.includes('%') && more.length === 0;
    const hint = 'write it like 127.0.0.1 or 10.0.0.0/8, several with commas between them';
    if (!known || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))))
      throw usage(`"${proxy}" (--trust-proxy) isn't an address or a range of addresses.`, hint);
    if (bits !== undefined && Number(bits) === 0)
      throw usage(`"${proxy}" (--trust-proxy) is everybody: each caller could choose the address that limits count.`, hint);
  }
  return proxies;
}

/** Nothing of a mail server is loaded unless one is named. */
async function transportsOf({ url, from }: { url?: string; from?: string }): Promise<readonly Transport[]> {
  if (!url) {
    if (from)
      throw usage(
        '--smtp-from needs --smtp-url: without a mail server nothing is sent.',
        'give the mail server with --smtp-url, or leave --smtp-from out',
      );
    return [];
  }
  const { readMailbox, readSmtpUrl } = await import('../../../service/outbox/smtp-settings.ts');
  const server = asUsage('--smtp-url', () => readSmtpUrl(url));
  if (!from)
    throw usage(
      '--smtp-url needs --smtp-from: the address that e-mail comes from.',
      "give it, such as --smtp-from 'The Garage <office@example.com>'",
    );
  const sender = readMailbox(from);
  if (!sender)
    throw usage(
      `"${from}" (--smtp-from) is no address of e-mail.`,
      "write it like office@example.com, or 'The Garage <office@example.com>'",
    );
  const { smtpTransport } = await import('../../../service/outbox/smtp.ts');
  return [smtpTransport({ server, from: sender })];
}

/** What was given is not repeated: it may hold a password. */
function asUsage<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usage(`${flag} cannot be used: ${(error as Error).message}.`, 'write it like smtp://user:password@mail.example.com:587');
  }
}

function cannotListen(error: unknown, host: string, port: number): CliError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new CliError({
      code: 'port_in_use',
      message: `Port ${port} on ${host} is taken by another program.`,
      hint: 'choose another with --port, or --port 0 for any free one',
      cause: error,
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || (code === 'EACCES' && port < 1024 && port > 0)) {
    return new CliError({
      code: 'cannot_listen',
      message: `Cannot listen on ${host}, port ${port}: ${(error as Error).message}.`,
      hint: 'choose others with --host and --port',
      cause: error,
    });
  }
  return undefined;
}

/** The flags of `cs serve` that say how much may be asked in a minute. */

const flags: readonly [keyof RateLimits, string, string][] = [
  ['requestsPerMinute', 'rate-limit', 'requests of one key in a minute; 600 unless given, 0 for no limit'],
  ['burst', 'rate-burst', 'how many of them may come at once; 100 unless given'],
  ['uploadsPerMinute', 'upload-limit', 'uploads of one key in a minute; 60 unless given, 0 for no limit'],
  ['failedKeysPerMinute', 'failed-key-limit', 'refused keys of one address in a minute; 20 unless given, 0 for no limit'],
];

function addLimitFlags(command: Command): Command {
  for (const [, flag, about] of flags) command.option(`--${flag} <number>`, about, wholeNumber);
  return command;
}

/** What was given, and nothing else: the service knows the rest. */
function limitsOf(options: Record<string, unknown>): Partial<RateLimits> {
  const given = flags.map(([name, flag]) => [name, options[flag.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
