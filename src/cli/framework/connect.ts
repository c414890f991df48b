/** Opens the client that commands share; loaded only when a request is made. */
import { resolve } from 'node:path';
import { type Client, createClient } from '../../client/client.ts';
import type { AttemptEvent, TransportOptions } from '../../client/options.ts';
import { withoutSecrets } from '../config/key-argument.ts';
import type { Setting } from '../config/setting-list.ts';
import type { Settings } from '../config/settings.ts';
import { usage } from '../errors/exit.ts';
import { describeFsError } from '../errors/file-system.ts';
import type { Io } from '../terminal/io.ts';
import { quote, sanitize } from '../terminal/text.ts';
import { noteBegun, noteResult } from './ledger.ts';
import { checkReplay } from './replayed.ts';
import { version } from './version.ts';

export interface Server {
  readonly baseUrl: string;
  /** Without one only what needs none can be asked. */
  readonly key?: string;
  /** Asked before each write. Only for a server of our own, or where nothing is written, is there none. */
  readonly beforeWrite?: TransportOptions['beforeWrite'];
  /** Ends every request, in place of the signal of the run. */
  readonly signal?: AbortSignal;
  /** Told of every try, beside the wire log. */
  readonly onAttempt?: (event: AttemptEvent) => void;
}

/** A client for a server, with the timeouts, certificates and wire log that the flags ask for. */
export async function connect(
  io: Io,
  settings: Settings,
  { baseUrl, key, beforeWrite, signal = io.signal, onAttempt }: Server,
): Promise<Client> {
  const client: Client = createClient({
    baseUrl,
    key,
    beforeWrite: async (request) => {
      await beforeWrite?.(request);
      noteBegun(io);
    },
    afterWrite: (result) => {
      noteResult(io, result);
      return checkReplay(io, client, result);
    },
    timeoutMs: settings.timeoutMs,
    retries: settings.retries,
    ...io.waiting,
    allowInsecureHttp: settings.allowInsecureHttp?.value,
    ca: settings.caFile && (await readCertificates(io, settings.caFile)),
    env: io.env,
    signal,
    userAgent: `cs/${version}`,
    onAttempt: (event) => {
      onAttempt?.(event);
      if (settings.verbose) io.stderr.write(`${wireLine(event)}\n`);
      else if (event.retryInMs !== undefined && event.retryInMs >= 2_000 && !settings.quiet)
        io.stderr.write(`Waiting ${Math.ceil(event.retryInMs / 1_000)} s to try again (${whyAgain(event)}).\n`);
    },
  });
  return client;
}

/** `answered 503` or, without an answer that says why, the code: `timeout`. */
const whyAgain = ({ status, error }: AttemptEvent) =>
  status !== undefined && status >= 400 ? `answered ${status}` : sanitize(error ?? '');

/** `GET http://… 200 12 ms 0199…`; neither the key nor a body is ever part of it. */
function wireLine({ method, url, status, error, ms, requestId, retryInMs }: AttemptEvent): string {
  const again = retryInMs === undefined ? '' : `again in ${Math.round(retryInMs)} ms`;
  const parts = [`* ${method} ${url}`, status ?? '', error ?? '', `${ms} ms`, requestId ?? '', again];
  return withoutSecrets(sanitize(parts.filter((part) => part !== '').join('  ')));
}

/** Fails with exit 2 when the file can't be read, and with exit 3 when it isn't text, as a certificate in the form DER. */
export async function readCertificates(io: Io, { value: file, origin }: Setting<string>): Promise<string> {
  const [{ readFile }, { decodeText }] = await Promise.all([import('node:fs/promises'), import('../input/decode.ts')]);
  const bytes = await readFile(resolve(io.cwd, file)).catch((error: unknown) => {
    throw usage(`The certificates in ${file} (${origin}) cannot be read: ${describeFsError(error)}.`, 'check the path and its permissions');
  });
  const hint = `give a PEM file; make one of a DER file with \`openssl x509 -inform der -in ${quote(file)}\``;
  return decodeText(bytes, { name: `The certificate file ${file} (${origin})`, hint });
}
