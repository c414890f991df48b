/** Who may do what in the dashboard. */

/** Of accounts, which sign in with a password. */
export const accountRoles = ['admin', 'staff'] as const;
export type AccountRole = (typeof accountRoles)[number];
/** A screen hangs on a wall. */
export const roles = [...accountRoles, 'screen'] as const;
export type Role = (typeof roles)[number];

/** What admins and staff write of the public interface, by operation. Beyond these, `cs` is the tool. */
export const workOperations: readonly string[] = [
  ...['carEvents.create', 'parkingAssignments.create', 'carPhotos.create', 'appointments.update'],
  ...['locations.create', 'parkingZones.create', 'parkingSpots.create'],
];

/** What staff do of the dashboard's own interface; admins do all of it. */
export const staffOperations: readonly string[] = [
  'covers.list',
  'photoNames.list',
  'phoneLinks.get',
  'phoneLinks.create',
  'phoneLinks.delete',
];
