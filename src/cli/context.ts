/** Makes the context in which a command runs. */
import type { Client } from '../client/client.ts';
import type { Context } from './command.ts';
import { CliError } from './exit.ts';
import type { Io } from './io.ts';
import { paintFor } from './paint.ts';
import { createOutput } from './render/output.ts';
import type { Settings } from './settings.ts';
import { sanitizeLines } from './text.ts';

/** `close` ends the client's connections, which would keep the process waiting. */
export function createContext(io: Io, settings: Settings): { context: Context; close: () => Promise<void> } {
  const paint = paintFor(io, 'stderr', settings.color);
  let client: Promise<Client> | undefined;
  const warn = (text: string) => void io.stderr.write(`${sanitizeLines(text)}\n`);
  const note = (text: string) => {
    if (!settings.quiet) io.stderr.write(`${paint.dim(sanitizeLines(text))}\n`);
  };
  const context: Context = {
    io,
    settings,
    paint,
    interactive: io.stdinIsTerminal && io.stderrIsTerminal && !settings.noInput,
    client: () => {
      client ??= openClient(io, settings);
      return client;
    },
    note,
    warn,
    output: createOutput({
      io,
      format: settings.output,
      paint: paintFor(io, 'stdout', settings.color),
      note,
      findLabels: async (wanted) => (await import('./names.ts')).findLabels(context, wanted),
    }),
  };
  const close = async () => {
    await (await client?.catch(() => undefined))?.close();
  };
  return { context, close };
}

async function openClient(io: Io, settings: Settings): Promise<Client> {
  const { baseUrl, key, withheld } = settings.connection();
  if (key.value === undefined)
    throw new CliError({
      code: 'not_signed_in',
      message: withheld ?? `You are not signed in to ${baseUrl.value}.`,
      hint: `sign in with \`cs auth login${baseUrl.origin.startsWith('profile') ? '' : ` --base-url ${baseUrl.value}`}\``,
      exitCode: 4,
    });
  const { connect } = await import('./connect.ts');
  return connect(io, settings, { baseUrl: baseUrl.value, key: key.value });
}
