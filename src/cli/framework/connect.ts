/** Creates the client of a command. Loaded at the first request. */
import { resolve } from 'node:path';
import type { Abilities } from '../../client/abilities.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { AttemptEvent, TransportOptions } from '../../client/options.ts';
import { redactSecrets } from '../config/secrets.ts';
import type { Setting } from '../config/setting-list.ts';
import type { Settings } from '../config/settings.ts';
import { usage } from '../errors/exit.ts';
import { describeFsError } from '../errors/file-system.ts';
import type { Io } from '../terminal/io.ts';
import { recordRequest, recordResult } from '../terminal/ledger.ts';
import { writeNotice } from '../terminal/notices.ts';
import { breakIndented, quote, sanitize } from '../terminal/text.ts';
import { version } from './version.ts';

export interface Server {
  readonly baseUrl: string;
  /** Without a key, only public operations work. */
  readonly key?: string;
  /** What the server announced of itself to an earlier run, if any. */
  readonly abilities?: Abilities;
  /**
   * Called before each write. Only the demo's own server and commands that only read go without.
   */
  readonly beforeWrite?: TransportOptions['beforeWrite'];
  /** Work in bulk, which leaves room for other runs near the rate limit. */
  readonly bulk?: boolean;
  /** Aborts requests. (default: the signal of the run) */
  readonly signal?: AbortSignal;
  /** Called for every attempt, in addition to the wire log. */
  readonly onAttempt?: (event: AttemptEvent) => void;
}

/** A client with the timeouts, certificates and wire log of the settings. */
export async function connect(
  io: Io,
  settings: Settings,
  { baseUrl, key, abilities, beforeWrite, bulk, signal = io.signal, onAttempt }: Server,
): Promise<Client> {
  return createClient({
    baseUrl,
    key,
    abilities,
    beforeWrite: async (request) => {
      await beforeWrite?.(request);
      recordRequest(io);
    },
    async afterWrite(result) {
      recordResult(io, result);
    },
    timeoutMs: settings.timeoutMs,
    retries: settings.retries,
    now: () => io.now().getTime(),
    ...io.waiting,
    bulk,
    allowInsecureHttp: settings.allowInsecureHttp?.value,
    ca: settings.caFile && (await readCertificates(io, settings.caFile)),
    env: io.env,
    signal,
    userAgent: `cs/${version}`,
    onWarning({ kind, message, fields = [] }) {
      for (const about of fields) io.run.notes.push({ kind: 'not_shown', about });
      if (kind === 'not_shown' || settings.quiet) return;
      const text = sanitize(redactSecrets(`Note: ${message}.`));
      writeNotice(
        io,
        `${breakIndented(text, io.stderrIsTerminal ? (io.columns ?? 80) : undefined, 2)}\n`,
      );
    },
    onAttempt: (event) => {
      onAttempt?.(event);
      noteServerClock(io, event.date);
      if (settings.verbose) writeNotice(io, `${formatAttempt(event)}\n`);
      else if (event.retryInMs !== undefined && event.retryInMs >= 2_000 && !settings.quiet)
        writeNotice(
          io,
          `Waiting ${Math.ceil(event.retryInMs / 1_000)} s to retry (${retryReason(event)}).\n`,
        );
    },
  });
}

function noteServerClock(io: Io, date: string | undefined): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) io.run.serverClockOffset = time - io.now().getTime();
}

/** `answered 503`, or the error code: `timeout`. */
const retryReason = ({ status, error }: AttemptEvent) =>
  status !== undefined && status >= 400 ? `answered ${status}` : sanitize(error ?? '');

/** `GET http://… 200 12 ms 0199…`, never with a key or a body. */
function formatAttempt({
  method,
  url,
  status,
  error,
  ms,
  requestId,
  retryInMs,
}: AttemptEvent): string {
  const again = retryInMs === undefined ? '' : `retry in ${Math.round(retryInMs)} ms`;
  const parts = [
    `* ${method} ${url}`,
    status ?? '',
    error ?? '',
    `${ms} ms`,
    requestId ?? '',
    again,
  ];
  return redactSecrets(sanitize(parts.filter((part) => part !== '').join('  ')));
}

/** Exit 2 for an unreadable file, exit 3 for a file that isn't text, such as a DER certificate. */
export async function readCertificates(
  io: Io,
  { value: file, origin }: Setting<string>,
): Promise<string> {
  const [{ readFile }, { decodeText }] = await Promise.all([
    import('node:fs/promises'),
    import('../input/decode.ts'),
  ]);
  const bytes = await readFile(resolve(io.cwd, file)).catch((error: unknown) => {
    throw usage(
      `Couldn't read the certificates in ${file} (${origin}): ${describeFsError(error)}.`,
      'check the path and its permissions',
    );
  });
  const hint = `use a PEM file; convert a DER file with \`openssl x509 -inform der -in ${quote(file)}\``;
  return decodeText(bytes, { name: `The certificate file ${file} (${origin})`, hint });
}
