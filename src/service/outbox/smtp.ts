/** E-mail over SMTP. Loaded only if a mail server is set. */
import { createTransport } from 'nodemailer';
import { email } from '../../contract/fields.ts';
import { networkReasons } from '../../contract/network-reasons.ts';
import type { OutboxMessage } from './outbox.ts';
import { type Mailbox, oneLine, readMailbox, type SmtpSettings } from './smtp-settings.ts';
import { timing } from './timing.ts';
import { type Transport, TransportError } from './transport.ts';

export interface SmtpOptions {
  readonly server: SmtpSettings;
  /** Default sender. */
  readonly from: Mailbox;
  /** Parallel connections (default: as many as the worker's deliveries). */
  readonly connections?: number;
}

/** Timeouts of single steps, in milliseconds; the worker limits the whole delivery. */
const connectMs = 10_000;
const answerMs = 20_000;

/** Delivers e-mails through a mail server, over pooled connections. */
export function smtpTransport({
  server,
  from,
  connections = timing.atOnce,
}: SmtpOptions): Transport {
  const { verified, ...connection } = server;
  const mailer = createTransport({
    ...connection,
    pool: true,
    maxConnections: connections,
    // Requeued only if no byte of the message went out: the server had closed an idle connection.
    maxRequeues: 1,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { rejectUnauthorized: verified },
  });
  return {
    name: `smtp ${server.host}:${server.port}`,
    async send(message, signal) {
      const mail = compose(message, from);
      try {
        const { messageId } = await mailer.sendMail({ ...mail, signal });
        return { externalId: messageId };
      } catch (error) {
        throw refused(error as SmtpError, server);
      }
    },
    async close() {
      mailer.close();
    },
  };
}

/** Structured addresses, which are never parsed again: no name or address can add a recipient or a header. */
function compose({ id, to, from, subject, body }: OutboxMessage, own: Mailbox) {
  const sender = from === null ? own : readMailbox(from);
  const recipient = email.safeParse(to);
  if (!sender || !recipient.success) {
    throw new TransportError(`Not an e-mail address: ${oneLine(sender ? to : String(from))}`, {
      permanent: true,
      reason: 'EADDRESS',
    });
  }
  return {
    from: sender,
    to: { name: '', address: recipient.data },
    subject: oneLine(subject ?? ''),
    text: body,
    // The same for each try, so that a mail server or reader can recognise a repeat.
    messageId: `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    xMailer: false as const,
  };
}

type SmtpError = Error & {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  command?: string;
};

function refused(error: SmtpError, { host, port }: SmtpSettings): TransportError {
  const { code = 'unexpected', originalCode, responseCode } = error;
  const why = networkReasons[originalCode ?? ''];
  const message = why ? `The connection to ${host}:${port} failed: ${why}` : oneLine(error.message);
  return new TransportError(message.slice(0, 1_000), {
    permanent: isPermanent(error),
    reason: [originalCode ?? code, responseCode].filter(Boolean).join(' '),
    cause: error,
  });
}

/**
 * Whether the server rejects the message itself. The operator has to fix an unreachable server, a wrong password or a forbidden
 * sender, so the queue waits.
 */
function isPermanent({ code, responseCode, command }: SmtpError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  if (responseCode === undefined) return true;
  return responseCode >= 500 && responseCode !== 530 && command !== 'MAIL FROM';
}
