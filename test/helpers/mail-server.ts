/** A real mail server, on a port of its own, that keeps what it is handed. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Mail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** By lower-case name, unfolded; those that are there twice as two. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** As a reader shows it. */
  readonly subject: string | undefined;
  readonly text: string;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** Everything that was taken, in its order. */
  readonly mails: readonly Mail[];
  /** Resolves once as many were taken in all. */
  taken(count: number): Promise<readonly Mail[]>;
  close(): Promise<void>;
}

/** An answer with a code of SMTP, for `onRcptTo`, `onMailFrom` and the like. */
export const smtpError = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/**
 * Starts a server that takes everything without a login, in the clear. `options` are those of smtp-server.
 * `onMail` is called when a mail is there and before that is acknowledged; what it throws is answered.
 */
export async function startMailServer({
  onMail = () => undefined,
  port = 0,
  ...options
}: Omit<SMTPServerOptions, 'onData'> & { onMail?: (mail: Mail) => void | Promise<void>; port?: number } = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  let waiting: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // A client may keep its connection; nothing waits for that.
    closeTimeout: 1,
    ...options,
    async onData(stream, { envelope }, callback) {
      const bytes: Buffer[] = [];
      try {
        for await (const chunk of stream) bytes.push(chunk);
      } catch (error) {
        // Cut off in the middle.
        return callback(error as Error);
      }
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const mail = read(Buffer.concat(bytes).toString('utf8'), { from, to: envelope.rcptTo.map(({ address }) => address) });
      try {
        await onMail(mail);
        mails.push(mail);
        for (const wake of waiting.splice(0)) wake();
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
  });
  // A client that is killed in the middle is what some tests are about.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const bound = (server.server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    async taken(count) {
      while (mails.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return mails;
    },
    async close() {
      waiting = [];
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function read(raw: string, envelope: Mail['envelope']): Mail {
  const end = raw.indexOf('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(line.indexOf(':') + 1).trim()];
  }
  const [encoding = '7bit'] = headers['content-transfer-encoding'] ?? [];
  const [subject] = headers.subject ?? [];
  return { envelope, headers, raw, subject: subject && words(subject), text: decode(raw.slice(end + 4), encoding) };
}

function decode(body: string, encoding: string): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(unquote(body.replace(/=\r\n/g, '')), 'latin1')
        : Buffer.from(body);
  return bytes.toString('utf8').replace(/\r\n/g, '\n').replace(/\n$/, '');
}

/** The words of a header that are not ASCII (RFC 2047). */
const words = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(unquote(text.replace(/_/g, ' ')), 'latin1').toString(),
    );
const unquote = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
