/** Creates the context of a command. */

import type { Abilities } from '../../client/abilities.ts';
import type { Client } from '../../client/client.ts';
import { IdSet } from '../../client/ids.ts';
import type { TransportOptions } from '../../client/options.ts';
import type { Connection } from '../config/connection.ts';
import { redactSecrets } from '../config/secrets.ts';
import type { Settings } from '../config/settings.ts';
import { createWrites } from '../config/writes.ts';
import type { Context, WriteCheck } from '../context.ts';
import { CliError } from '../errors/exit.ts';
import { createOutput, type FindLabels } from '../output/output.ts';
import { askToWrite } from '../prompts/confirm.ts';
import type { Io } from '../terminal/io.ts';
import { stylesFor } from '../terminal/style.ts';
import { breakAround, sanitize } from '../terminal/text.ts';
import type { Server } from './connect.ts';

interface ContextHandle {
  readonly context: Context;
  /** Closes connections and the output's thread, which would keep the process running. */
  close(): Promise<void>;
  /** Whether requests used a key from a helper command. */
  usedKeyCommand(): boolean;
}

interface ContextOptions {
  /** Loaded at the first write. */
  readonly writeChecks: readonly (() => Promise<WriteCheck>)[];
  readonly findLabels: (context: Context) => FindLabels;
  /** Work in bulk, which leaves room for other runs near the rate limit. */
  readonly bulk?: boolean;
  /** Aborts requests. (default: the signal of the run) */
  readonly signal?: AbortSignal;
}

export async function createContext(
  io: Io,
  given: Settings,
  { writeChecks, findLabels, bulk, signal }: ContextOptions,
): Promise<ContextHandle> {
  // Resolved once: if the configuration changes while a command runs, it keeps its server and key.
  let connection: Connection | undefined;
  const settings: Settings = {
    ...given,
    connection: () => {
      connection ??= given.connection();
      return connection;
    },
  };
  const styles = await stylesFor(io, 'stderr', settings.color);
  let client: Promise<Client> | undefined;
  let checks: Promise<readonly WriteCheck[]> | undefined;
  let wrote = false;
  const beforeWrite: TransportOptions['beforeWrite'] = async (request) => {
    await context.checkWrites([request]);
    await context.writes.permit();
    wrote = true;
  };
  // A command stays on one line, so that it can be copied.
  const format = (text: string) => {
    const wrap = io.stderrIsTerminal && !/: cs /.test(text);
    return breakAround(sanitize(redactSecrets(text)), wrap ? (io.columns ?? 80) : undefined, 2);
  };
  const warn = (text: string) => void io.stderr.write(`${format(text)}\n`);
  const note = (text: string) => {
    if (!settings.quiet) io.stderr.write(`${styles.dim(format(text))}\n`);
  };
  // After --ids - or --input -, stdin is at its end and prompts can't be answered.
  const interactive = () =>
    io.stdinIsTerminal && io.stderrIsTerminal && !settings.noInput && !io.stdin.readableEnded;
  const context: Context = {
    io,
    settings,
    styles,
    get interactive() {
      return interactive();
    },
    client: () => {
      client ??= openClient(io, settings, { beforeWrite, bulk, signal });
      return client;
    },
    writes: createWrites({
      connection: settings.connection,
      yes: settings.yes,
      interactive,
      ask: (question) => askToWrite(context, question),
    }),
    async checkWrites(writes) {
      checks ??= Promise.all(writeChecks.map((load) => load()));
      for (const check of await checks) await check(context, writes);
    },
    confirmedIds: new IdSet(),
    note,
    warn,
    output: await createOutput({
      io,
      settings,
      note,
      warn,
      findLabels: (wanted, how) => findLabels(context)(wanted, how),
    }),
  };
  return {
    context,
    async close() {
      await context.output.close();
      const opened = await client?.catch(() => undefined);
      await opened?.close();
      if (wrote) (await import('../state/names.ts')).openNames(io, settings)?.markStale();
    },
    usedKeyCommand: () => client !== undefined && 'command' in (connection?.key.value ?? {}),
  };
}

async function openClient(
  io: Io,
  settings: Settings,
  how: Pick<Server, 'beforeWrite' | 'bulk' | 'signal'>,
): Promise<Client> {
  const server = await findServer(io, settings);
  const { connect } = await import('./connect.ts');
  return connect(io, settings, { ...server, ...how });
}

/**
 * The server address, the key, and what is known of the server. Fails with exit 4 without a key.
 */
export async function findServer(
  io: Io,
  settings: Settings,
): Promise<{ baseUrl: string; key: string; abilities: Abilities | undefined }> {
  const connection = settings.connection();
  const { baseUrl, key, keyRefusal } = connection;
  if (key.value === undefined)
    throw new CliError({
      code: 'not_signed_in',
      message: keyRefusal ?? `You aren't signed in to ${baseUrl.value}.`,
      hint: `sign in with \`cs auth login${baseUrl.origin.startsWith('profile') ? '' : ` --base-url ${baseUrl.value}`}\``,
    });
  const [{ findKey }, { keptAbilities }] = await Promise.all([
    import('../config/key.ts'),
    import('./abilities.ts'),
  ]);
  return {
    baseUrl: baseUrl.value,
    key: await findKey(io, { value: key.value, origin: key.origin }, settings.keyCommandTimeoutMs),
    abilities: keptAbilities(io, connection),
  };
}
