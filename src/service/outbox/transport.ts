import type { OutboxMessage } from './outbox.ts';

/** Delivers messages. */
export interface Transport {
  /** Its name in the log. */
  readonly name: string;
  /** Resolves once the receiving server has taken responsibility. Throws `TransportError`. */
  send(
    message: OutboxMessage,
    signal: AbortSignal,
  ): Promise<{ readonly externalId: string | null }>;
  close(): Promise<void>;
}

interface Details {
  /** A retry can't help: an invalid address, a rejected message. The error message is then stored with the record. */
  readonly permanent: boolean;
  /** A short reason for the log, without the recipient. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** A message wasn't accepted. The error message is for the operator: it may contain servers and recipients. */
export class TransportError extends Error {
  readonly permanent: boolean;
  readonly reason: string;
  constructor(message: string, { permanent, reason, cause }: Details) {
    super(message, { cause });
    this.name = 'TransportError';
    this.permanent = permanent;
    this.reason = reason;
  }
}

/** The reason shown to the team: a rejection word for word, but nothing about the operator's servers. */
export const publicReason = ({ permanent, message }: TransportError): string =>
  permanent ? message : "Couldn't reach the mail server, or it didn't accept the message";

/** The message for the log, without e-mail addresses. */
export const redactAddresses = ({ message }: Error): string =>
  message.replace(/[^\s<>"'(),;:]+/g, (word) => (/.@./.test(word) ? '<address>' : word));
