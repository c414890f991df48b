import { isIP } from 'node:net';
import { isLoopback } from '../../../client/address.ts';
import { reasonOf } from '../../../client/failures.ts';
import type { RateLimits } from '../../../service/http/rate-limits.ts';
import type { Transport } from '../../../service/outbox/transport.ts';
import type { RunningService, ServiceOptions } from '../../../service/start.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import {
  type Command,
  type CommandBuilder,
  Option,
  suggestValues,
} from '../../framework/command.ts';
import { readSize, wholeNumber } from '../../framework/flags.ts';
import { kubernetesAddress } from '../../framework/variables.ts';
import { write } from '../../terminal/io.ts';
import { localAddress, readPublicUrl } from '../data/dashboard-address.ts';
import { redactDatabaseUrl } from '../data/data-errors.ts';
import {
  addDataFlags,
  type DataSource,
  readDataSource,
  startServiceWithLog,
  waitForStop,
  withNewData,
} from '../data/data-folder.ts';
import { addFilesFlag } from '../data/files-place.ts';
import { readVariable } from '../data/secrets.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const serve: CommandBuilder = (command) => {
  command
    .description(
      'Run the service on this machine until Ctrl-C or SIGTERM. It needs no setup.\nLogs go to stderr: readable lines on a terminal, JSON otherwise.',
    )
    .option('--host <address>', 'address to listen on (default: 127.0.0.1) (CS_HOST)')
    .option(
      '--port <number>',
      'port to listen on; 0 for any free port (default: 8787) (CS_PORT)',
      wholeNumber,
    )
    .option(
      '--ready',
      'start nothing: ask the service at --host and --port whether it is ready, and exit 0 or 9',
    );
  addFilesFlag(addDataFlags(command))
    .option(
      '--database-connections <number>',
      'maximum number of connections to PostgreSQL',
      wholeNumber,
      10,
    )
    .option(
      '--smtp-url <url>',
      'mail server for outgoing e-mail: smtp://user:password@host:587 or smtps://… (CS_SMTP_URL)',
    )
    .option('--smtp-from <address>', 'sender of e-mail: address, or Name <address> (CS_SMTP_FROM)')
    .option(
      '--trust-proxy <addresses>',
      'reverse proxies to trust for X-Forwarded-For: comma-separated addresses and ranges such as 10.0.0.0/8 (CS_TRUST_PROXY)',
    )
    .option(
      '--public-url <url>',
      'where people reach the service, such as https://garage.example: for the dashboard and its links (CS_PUBLIC_URL)',
    )
    .option(
      '--team-quota <size>',
      'what the photos and assets of each team may take, such as 50GB; `cs admin team quota` sets another limit for one (CS_TEAM_QUOTA; default: any amount)',
    )
    .option('--no-dashboard', "don't serve the team dashboard at /dashboard (CS_DASHBOARD=off)")
    .option(
      '--allow-insecure-dashboard',
      'serve the dashboard over http to other machines too: passwords travel unencrypted (CS_ALLOW_INSECURE_DASHBOARD=1)',
    )
    .option('--metrics', 'serve Prometheus metrics at /metrics, without a key')
    .addOption(
      suggestValues(
        new Option('--log-level <level>', logLevels.join(', ')).default('info'),
        logLevels,
      ),
    )
    .handle(async (context, { options }) => {
      const { logLevel, databaseConnections: connections } = options;
      const { host, port } = readAddress(context.io.env, options);
      if (port > 65_535)
        throw usage(
          `--port must be 0 to 65535, not ${port}.`,
          'choose another, or --port 0 for any free port',
        );
      if (options.ready) return askReady(context, host, port);
      if (!logLevels.includes(logLevel))
        throw usage(
          `"${logLevel}" isn't a log level (--log-level).`,
          `choose one of ${logLevels.join(', ')}`,
        );
      if (connections < 1)
        throw usage('--database-connections must be 1 or more.', 'leave it out for 10');
      const smtp = {
        url: options.smtpUrl ?? readVariable(context.io, 'CS_SMTP_URL'),
        from: options.smtpFrom ?? context.io.env.CS_SMTP_FROM,
      };
      await run(context, {
        host,
        port,
        logLevel,
        source: readDataSource(context.io, options),
        connections,
        transport: await createTransport(smtp),
        rateLimits: readLimits(options),
        teamQuota: readQuota(options.teamQuota, context.io.env.CS_TEAM_QUOTA),
        metrics: options.metrics,
        dashboard: readDashboard(context.io.env, options),
        trustProxy: parseProxies(options.trustProxy ?? context.io.env.CS_TRUST_PROXY ?? ''),
      });
    });
  addLimitFlags(command);
  command.examples([
    'cs serve',
    'cs serve --port 0 --data ./try-out',
    '# with e-mail; CS_SMTP_URL keeps the password out of the process list',
    "CS_SMTP_URL=smtp://garage:secret@mail.example.com:587 cs serve --smtp-from 'The Garage <office@example.com>'",
    '# several services on one PostgreSQL, with a shared data folder',
    'CS_DATABASE=postgres://cars:secret@db.example.com/cars cs serve --data /mnt/shared/cars',
    '# photos in an S3 store, with its key in the environment',
    'CS_DATABASE=postgres://cars:secret@db.example.com/cars CS_FILES_ENDPOINT=https://s3.example.com cs serve --files s3://garage/photos',
    '# the health check of a container',
    'cs serve --ready --port 8787',
    '# behind a reverse proxy with TLS on this machine (docs/operating.md)',
    'cs serve --trust-proxy 127.0.0.1 --data /srv/cars',
    '# for a proxy on another machine: other machines reach it without TLS',
    'cs serve --host 0.0.0.0 --trust-proxy 10.0.0.5 --data /srv/cars',
  ]);
};

/** Kubernetes sets CS_PORT to an address for a Service of the name cs. */
function readAddress(
  { CS_HOST, CS_PORT }: Context['io']['env'],
  { host, port }: { readonly host?: string; readonly port?: number },
): { readonly host: string; readonly port: number } {
  const given = CS_PORT && !kubernetesAddress.test(CS_PORT) ? CS_PORT : '8787';
  if (!/^\d+$/.test(given))
    throw usage(`"${given}" (CS_PORT) isn't a port.`, 'set it to a number, such as 8787');
  return { host: host ?? (CS_HOST || '127.0.0.1'), port: port ?? Number(given) };
}

/** For health checks of containers, which have no other client. */
async function askReady(context: Context, host: string, port: number): Promise<void> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const url = `${localAddress(`http://${name}:${port}`)}`;
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readyMs) }).catch(
    (cause: Error) => {
      throw new CliError({
        code: 'connection_failed',
        message: `No service answers at ${url}.`,
        hint: 'name its --host and --port, and see its log',
        exitCode: 9,
        cause,
      });
    },
  );
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
  if (!answer.ok)
    throw new CliError({
      code: 'unexpected_answer',
      message: `${url}: ${error ?? `Not ready: status ${answer.status}`}.`,
      hint: 'see the log of the service',
      exitCode: 9,
    });
  await context.output.value({ url, ready: true }, `${url} is ready`);
}

/** Longer than the checks of the service may take. */
const readyMs = 10_000;

interface Options {
  host: string;
  port: number;
  logLevel: string;
  source: DataSource;
  connections: number;
  transport: Transport | undefined;
  rateLimits: Partial<RateLimits>;
  teamQuota: number | undefined;
  metrics: boolean | undefined;
  trustProxy: readonly string[];
  dashboard: NonNullable<ServiceOptions['dashboard']>;
}

async function run(
  context: Context,
  { logLevel, source, connections, ...options }: Options,
): Promise<void> {
  const { host, port, transport } = options;
  const { io } = context;
  const log = { level: logLevel, pretty: io.stderrIsTerminal };
  const service = await withNewData(source, () =>
    startServiceWithLog(io, log, { ...options, ...source, limits: { connections } }).catch(
      (error: unknown) => Promise.reject(listenError(error, host, port) ?? error),
    ),
  );
  try {
    await announce(context, source, { ...service, withoutMail: !transport });
    await waitForStop(io);
    context.note('Stopping: finishing open requests.');
  } finally {
    // Also if the announcement fails: the service must not keep running unnoticed.
    await service.close();
  }
  context.note('Stopped.');
}

interface ServiceStatus {
  readonly url: string;
  readonly teams: number;
  readonly dashboard: RunningService['dashboard'];
  /** Number of queued messages. */
  readonly waiting: number;
  /** No mail server was given. */
  readonly withoutMail: boolean;
}

/** Prints the address on stdout for scripts, and warnings and next steps on stderr. */
async function announce(
  { io, output, styles, note, warn }: Context,
  source: DataSource,
  service: ServiceStatus,
): Promise<void> {
  const { data } = source;
  const database = source.database && redactDatabaseUrl(source.database);
  const { s3Address } = await import('../../../service/files/store.ts');
  const files = source.files && s3Address(source.files);
  const where =
    database || files
      ? `records in ${database ?? data}, files in ${files ?? data}`
      : `data in ${data}`;
  const ready = output.forPeople
    ? `${styles.success('Ready')} at ${service.url}, ${where}. Ctrl-C stops it.\n`
    : `${JSON.stringify({ url: service.url, data, database, files })}\n`;
  await write(io.stdout, ready);
  if (!isLoopback(new URL(service.url).hostname)) {
    warn('Other machines can reach the service without TLS: keys and data travel unencrypted.');
    warn(
      'hint: put a reverse proxy with TLS in front of it (docs/operating.md), and allow only the proxy to reach this port',
    );
  }
  if (service.teams === 0)
    note('No team exists yet. Create one in another terminal: cs admin team create "My garage"');
  else if (service.dashboard === 'without admin')
    note(
      'No team admin yet, so nobody can open the dashboard. Add one in another terminal: cs admin user add you@example.com',
    );
  if (service.dashboard === 'ready')
    note(`The team dashboard is at ${localAddress(service.url)}/dashboard/.`);
  if (service.withoutMail) {
    const queued = service.waiting > 0 ? ` Queued now: ${service.waiting}.` : '';
    note(`Outgoing e-mail stays queued until the service is started with --smtp-url.${queued}`);
  }
}

/** Off, or how browsers reach it. */
function readDashboard(
  env: Context['io']['env'],
  options: Record<string, unknown>,
): NonNullable<ServiceOptions['dashboard']> {
  if (options.dashboard === false || env.CS_DASHBOARD === 'off') return false;
  return {
    publicUrl: readPublicUrl((options.publicUrl as string | undefined) ?? env.CS_PUBLIC_URL),
    allowInsecure:
      options.allowInsecureDashboard === true || env.CS_ALLOW_INSECURE_DASHBOARD === '1',
  };
}

function readQuota(flag: string | undefined, variable: string | undefined): number | undefined {
  if (flag !== undefined) return readSize(flag, '--team-quota');
  return variable ? readSize(variable, 'CS_TEAM_QUOTA') : undefined;
}

/** Addresses and CIDR ranges. With a range of all addresses, every caller could choose the address that rate limits count. */
function parseProxies(list: string): string[] {
  const proxies = list.split(',').flatMap((entry) => entry.trim() || []);
  for (const proxy of proxies) {
    const [address = '', bits = '32', ...more] = proxy.split('/');
    const most = isIP(address) === 4 ? 32 : 128;
    const isRange = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most;
    if (isIP(address) === 0 || address.includes('%') || more.length > 0 || !isRange)
      throw usage(
        `"${proxy}" (--trust-proxy) isn't an address or a range of addresses; one of all addresses would let each caller choose what rate limits count.`,
        'write it like 127.0.0.1 or 10.0.0.0/8, separated by commas',
      );
  }
  return proxies;
}

/** Loads the mail code only if a mail server was given. */
async function createTransport({
  url,
  from,
}: {
  url?: string;
  from?: string;
}): Promise<Transport | undefined> {
  if (!url && !from) return undefined;
  if (!url || !from)
    throw usage(
      `${url ? '--smtp-url' : '--smtp-from'} needs ${url ? '--smtp-from, the sender of e-mail' : '--smtp-url, the mail server'}.`,
      "write them like --smtp-url smtp://user:password@mail.example.com:587 --smtp-from 'The Garage <office@example.com>'",
    );
  const [{ readMailbox, readSmtpUrl }, { smtpTransport }] = await Promise.all([
    import('../../../service/outbox/smtp-settings.ts'),
    import('../../../service/outbox/smtp.ts'),
  ]);
  let server: ReturnType<typeof readSmtpUrl>;
  try {
    server = readSmtpUrl(url);
  } catch (error) {
    // The message leaves the value out: it may contain a password.
    throw usage(
      `Invalid --smtp-url: ${(error as Error).message}.`,
      'write it like smtp://user:password@mail.example.com:587',
    );
  }
  const sender = readMailbox(from);
  if (!sender)
    throw usage(
      `"${from}" (--smtp-from) isn't an e-mail address.`,
      "write it like office@example.com, or 'The Garage <office@example.com>'",
    );
  return smtpTransport({ server, from: sender });
}

function listenError(error: unknown, host: string, port: number): CliError | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES'].includes(code)) return undefined;
  // A folder can be refused too.
  if (code === 'EACCES' && (port === 0 || port >= 1024)) return undefined;
  const isUsed = code === 'EADDRINUSE';
  return new CliError({
    code: isUsed ? 'already_running' : 'usage',
    message: isUsed
      ? `Port ${port} on ${host} is already in use by another program.`
      : `Couldn't listen on ${host}, port ${port}: ${reasonOf(error)}.`,
    hint: 'choose another with --host or --port, or --port 0 for any free port',
    cause: error,
  });
}

const limitFlags: readonly [keyof RateLimits, string, string][] = [
  ['requestsPerMinute', 'rate-limit', 'requests per key and minute; 0 for no limit (default: 600)'],
  ['burst', 'rate-burst', 'requests allowed in a burst (default: 100)'],
  ['uploadsPerMinute', 'upload-limit', 'uploads per key and minute; 0 for no limit (default: 60)'],
  [
    'failedKeysPerMinute',
    'failed-key-limit',
    'refused keys per address and minute; 0 for no limit (default: 20)',
  ],
];

function addLimitFlags(command: Command): Command {
  for (const [, flag, about] of limitFlags)
    command.option(`--${flag} <number>`, about, wholeNumber);
  return command;
}

/** Only the given ones: the service has the defaults. */
function readLimits(options: Record<string, unknown>): Partial<RateLimits> {
  const given = limitFlags.map(([name, flag]) => [
    name,
    options[flag.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())],
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
