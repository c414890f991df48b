import { sendHandler } from '../campaigns/send-handler.ts';
import { messageHandler } from '../rules/communications.ts';
import { adminLinkHandler } from '../team/forgotten.ts';
import type { OutboxHandler, OutboxKind } from './outbox.ts';

/** The handler of every kind of entry. Links in e-mails lead to `publicUrl`. */
export const handlersFor = (publicUrl: string): Record<OutboxKind, OutboxHandler> => ({
  adminLink: adminLinkHandler(publicUrl),
  message: messageHandler,
  send: sendHandler,
});
