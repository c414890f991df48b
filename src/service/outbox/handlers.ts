import { sendHandler } from '../campaigns/send-handler.ts';
import { messageHandler } from '../rules/communications.ts';
import { postHandler } from '../rules/social-posting.ts';
import type { OutboxHandler, OutboxKind } from './outbox.ts';

/** The handler of every kind of entry. */
export const handlers: Record<OutboxKind, OutboxHandler> = {
  message: messageHandler,
  send: sendHandler,
  post: postHandler,
};
