import type { Channel, OutboxMessage } from './outbox.ts';

/** Hands letters over to what carries them. */
export interface Transport {
  /** As the log calls it. */
  readonly name: string;
  readonly channels: readonly Channel[];
  /** Resolves once the other side has taken responsibility. Throws `TransportError`. */
  send(message: OutboxMessage, signal: AbortSignal): Promise<{ readonly externalId: string | null }>;
  close(): Promise<void>;
}

interface Details {
  /** Trying again cannot help: an address that is none, a message that is refused. Then the message is kept with the record. */
  readonly permanent: boolean;
  /** A short word for the log, where the message must not go: it may tell who was written to. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** A message was not taken. The message is the operator's: it may tell where letters are handed over, and to whom. */
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

const carriers: Readonly<Record<Channel, string>> = { email: 'mail server', sms: 'SMS service', social: 'platform' };

/** What a team may read of it: a refusal of its own message to the word, of the operator's machinery nothing. */
export const publicReason = ({ permanent, message }: TransportError, channel: Channel): string =>
  permanent ? message : `The ${carriers[channel]} could not be reached or did not accept it`;

/** The message as the log may have it: without whom was written to. */
export const redactAddresses = ({ message }: Error): string => message.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '<address>');
