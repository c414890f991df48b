/** A real mail server on its own port that stores its mails. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Mail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** By lower-case name, unfolded; repeated headers have several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Decoded. */
  readonly subject: string | undefined;
  readonly text: string;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** All accepted mails, in order. */
  readonly mails: readonly Mail[];
  /** Resolves once the server has accepted this many in total. */
  taken(count: number): Promise<readonly Mail[]>;
  close(): Promise<void>;
}

/** An answer with an SMTP code, for `onRcptTo`, `onMailFrom` and similar callbacks. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/**
 * Starts a server that accepts every mail without a login and without TLS. `options` are those of smtp-server.
 * `onMail` is called for a received mail before its acknowledgement; an error that it throws becomes the answer.
 */
export async function startMailServer({
  onMail = () => undefined,
  port = 0,
  ...options
}: Omit<SMTPServerOptions, 'onData'> & {
  onMail?: (mail: Mail) => void | Promise<void>;
  port?: number;
} = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  let waiting: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // A client may keep its connection; closing doesn't wait for it.
    closeTimeout: 1,
    ...options,
    async onData(stream, { envelope }, callback) {
      const bytes: Buffer[] = [];
      try {
        for await (const chunk of stream) bytes.push(chunk);
      } catch (error) {
        // The connection was closed in the middle of the mail.
        return callback(error as Error);
      }
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const mail = read(Buffer.concat(bytes).toString('utf8'), {
        from,
        to: envelope.rcptTo.map(({ address }) => address),
      });
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
  // Some tests kill the client in the middle of a mail.
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
  return {
    envelope,
    headers,
    raw,
    subject: subject && words(subject),
    text: decode(raw.slice(end + 4), encoding),
  };
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

/** Decodes the encoded words of a header (RFC 2047). */
const words = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(unquote(text.replace(/_/g, ' ')), 'latin1').toString(),
    );
const unquote = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
