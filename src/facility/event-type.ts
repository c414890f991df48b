/** What an event type does to the place of a car: true, false, or undefined where the server doesn't tell by one of these two. */
import type { RecordFor } from '../contract/contract.ts';

/** A type whose value alone is known has no config; another server may leave it out. */
type Configured = { readonly config?: Partial<RecordFor<'eventTypes'>['config']> | null };

export const requiresPlace = ({ config }: Configured): boolean | undefined =>
  booleanIn(config?.requiresParkingSpot);
/** The specification doesn't show it. */
export const freesPlace = ({ config }: Configured): boolean | undefined =>
  booleanIn(config?.releasesParkingSpot);

/** A text such as "false" says nothing that can be relied on. */
const booleanIn = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;
