/** What the audit log records. */
export const auditActions = [
  ...(['key.create', 'key.update', 'key.revoke', 'integration.on', 'integration.off'] as const),
  ...(['admin.add', 'admin.remove', 'admin.link', 'password.set', 'password.forgotten'] as const),
  ...([
    'screen.add',
    'screen.link',
    'screen.end',
    'session.start',
    'session.refused',
    'session.end',
  ] as const),
  // What admins and staff do with the cars.
  ...(['car.event', 'car.move', 'car.photo', 'appointment.change', 'place.add'] as const),
  ...([
    'team.create',
    'team.quota',
    'event-type.create',
    'event-type.photos',
    'sender.add',
    'sender.remove',
    'outbox.retry',
    'outbox.drop',
  ] as const),
] as const;
export type AuditAction = (typeof auditActions)[number];
