import { sendHandler } from '../campaigns/send-handler.ts';
import { messageHandler } from '../rules/communications.ts';
import { postHandler } from '../rules/social-posting.ts';
import type { OutboxHandler, OutboxKind } from './outbox.ts';

/** Every kind of thing that goes out. The compiler says when one is missing. */
export const handlers: Record<OutboxKind, OutboxHandler> = {
  message: messageHandler,
  send: sendHandler,
  post: postHandler,
};
