import { type Context, examples, type Fill } from '../command.ts';
import { dataFlag, dataFolder, onNewData } from '../data-folder.ts';
import { CliError, usage } from '../exit.ts';
import { wholeNumber } from '../flags.ts';
import { write } from '../io.ts';

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const serve: Fill = (command, on) => {
  command
    .description(
      'Run the service on this machine, until Ctrl-C or SIGTERM. Nothing needs to be set up.\nLogs go to stderr: lines for a person, JSON otherwise.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any free one', wholeNumber, 8787)
    .option(...dataFlag)
    .option('--log-level <level>', `${levels.join(', ')}`, 'info')
    .action(
      on(async (context, { options }) => {
        const { host, port, logLevel } = options;
        if (port > 65_535) throw usage(`--port must be 0 to 65535, not ${port}.`);
        if (!levels.includes(logLevel)) throw usage(`--log-level must be one of ${levels.join(', ')}, not ${logLevel}.`);
        await run(context, { host, port, logLevel, data: dataFolder(context.io, options.data) });
      }),
    );
  examples(command, [
    'cs serve',
    'cs serve --port 0 --data ./try-out',
    '# other machines reach it: put TLS in front of it',
    'cs serve --host 0.0.0.0 --data /srv/cars',
  ]);
};

interface Options {
  host: string;
  port: number;
  logLevel: string;
  data: string;
}

async function run(context: Context, { host, port, logLevel, data }: Options): Promise<void> {
  const { io, output, paint } = context;
  const [{ startService }, { createLog }] = await Promise.all([import('../../service/start.ts'), import('../../service/log.ts')]);
  const logger = createLog({ level: logLevel, stream: io.stderr, pretty: io.stderrIsTerminal });
  const service = await onNewData(data, () =>
    startService({ data, host, port, logger }).catch((error: unknown) => Promise.reject(cannotListen(error, host, port) ?? error)),
  );
  const ready =
    output.format === 'table'
      ? `${paint.good('Ready')} at ${service.url}, data in ${data}. Ctrl-C stops it.\n`
      : `${JSON.stringify({ url: service.url, data })}\n`;
  await write(io.stdout, ready);
  if (service.teams === 0) context.note('There is no team yet. In another terminal: cs admin team create "My garage"');
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve();
    io.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  context.note('Stopping: requests under way are finished first.');
  await service.close();
  context.note('Stopped.');
}

function cannotListen(error: unknown, host: string, port: number): CliError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new CliError({
      code: 'port_in_use',
      message: `Port ${port} on ${host} is taken by another program.`,
      hint: 'choose another with --port, or --port 0 for any free one',
      exitCode: 7,
      cause: error,
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || (code === 'EACCES' && port < 1024 && port > 0)) {
    return new CliError({
      code: 'cannot_listen',
      message: `Cannot listen on ${host}, port ${port}: ${(error as Error).message}.`,
      hint: 'choose others with --host and --port',
      exitCode: 2,
      cause: error,
    });
  }
  return undefined;
}
