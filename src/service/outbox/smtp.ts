/** E-mail over SMTP. Loaded only where there is a server to hand it to. */
import { createTransport } from 'nodemailer';
import { email } from '../../contract/fields.ts';
import type { OutboxMessage } from './outbox.ts';
import { type Mailbox, oneLine, readMailbox, type SmtpSettings } from './smtp-settings.ts';
import { timing } from './timing.ts';
import { type Transport, TransportError } from './transport.ts';

export interface SmtpOptions {
  readonly server: SmtpSettings;
  /** Who writes, where the message does not say. */
  readonly from: Mailbox;
  /** How many letters are handed over at once, at most; as many as the worker does unless stated. */
  readonly connections?: number;
}

/** How long the server may take for each step, in milliseconds; the worker limits the whole. */
const connectMs = 10_000;
const answerMs = 20_000;

/** Hands e-mails to a mail server, over connections that are used again. */
export function smtpTransport({ server, from, connections = timing.atOnce }: SmtpOptions): Transport {
  const { verified, ...connection } = server;
  const mailer = createTransport({
    ...connection,
    pool: true,
    maxConnections: connections,
    // Asked again only when not a byte of the message went out: the server had closed a connection that was idle.
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
    channels: ['email'],
    async send(message, signal) {
      const mail = compose(message, from);
      try {
        const { messageId } = await mailer.sendMail({ ...mail, signal });
        return { externalId: messageId };
      } catch (error) {
        throw refused(error as SmtpError);
      }
    },
    async close() {
      mailer.close();
    },
  };
}

/** Addresses as parts, never as text that is read again: no name or address can add a recipient or a header. */
function compose({ id, to, from, subject, body }: OutboxMessage, own: Mailbox) {
  const sender = from === null ? own : readMailbox(from);
  const recipient = email.safeParse(to);
  if (!sender || !recipient.success) {
    throw new TransportError(`Not an e-mail address: ${oneLine(sender ? to : String(from))}`, { permanent: true, reason: 'EADDRESS' });
  }
  return {
    from: sender,
    to: { name: '', address: recipient.data },
    subject: oneLine(subject ?? ''),
    text: body,
    // The same at each attempt: a mail server or reader that has it already can tell.
    messageId: `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    xMailer: false as const,
  };
}

type SmtpError = Error & { code?: string; originalCode?: string; responseCode?: number; command?: string };

function refused(error: SmtpError): TransportError {
  const { code = 'unexpected', originalCode, responseCode } = error;
  return new TransportError(oneLine(error.message).slice(0, 1_000), {
    permanent: isPermanent(error),
    reason: [originalCode ?? code, responseCode].filter(Boolean).join(' '),
    cause: error,
  });
}

/**
 * Whether the message itself is refused. A server that cannot be reached, a password that is wrong and a sender that is not allowed
 * are for the operator to mend: what is queued waits for that.
 */
function isPermanent({ code, responseCode, command }: SmtpError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  if (responseCode === undefined) return true;
  return responseCode >= 500 && responseCode !== 530 && command !== 'MAIL FROM';
}
