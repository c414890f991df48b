/** Every first word after `cs`, in the order of the help. What stands behind one is loaded only when it is typed. */
import type { Fill } from '../command.ts';

export interface Entry {
  readonly name: string;
  /** The noun's singular. */
  readonly alias?: string;
  readonly summary: string;
  readonly group: 'Counter' | 'Facility' | 'Connection' | 'Service';
  readonly load: () => Promise<Fill>;
}

export const catalogue: readonly Entry[] = [
  {
    name: 'dropoff',
    summary: 'Take a car in: event, parking and photos',
    group: 'Counter',
    load: async () => (await import('./dropoff.ts')).dropoff,
  },
  {
    name: 'cars',
    alias: 'car',
    summary: 'Cars, their events and photos',
    group: 'Facility',
    load: async () => (await import('./cars.ts')).cars,
  },
  {
    name: 'customers',
    alias: 'customer',
    summary: 'People and companies whose cars are kept',
    group: 'Facility',
    load: async () => (await import('./customers.ts')).customers,
  },
  {
    name: 'locations',
    alias: 'location',
    summary: 'Sites of the facility',
    group: 'Facility',
    load: async () => (await import('./locations.ts')).locations,
  },
  {
    name: 'parking',
    summary: 'Zones, spots, and which car stands where',
    group: 'Facility',
    load: async () => (await import('./parking.ts')).parking,
  },
  {
    name: 'event-types',
    alias: 'event-type',
    summary: 'Kinds of event that can be logged',
    group: 'Facility',
    load: async () => (await import('./event-types.ts')).eventTypes,
  },
  {
    name: 'sessions',
    alias: 'session',
    summary: 'Photo sessions of events',
    group: 'Facility',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  {
    name: 'auth',
    summary: 'Sign in, sign out, see who you are',
    group: 'Connection',
    load: async () => (await import('./auth.ts')).auth,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: 'Servers and keys that were signed in to',
    group: 'Connection',
    load: async () => (await import('./profiles.ts')).profiles,
  },
  {
    name: 'completion',
    summary: 'Complete commands, flags and values in your shell',
    group: 'Connection',
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'serve',
    summary: 'Run the service on this machine',
    group: 'Service',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'demo',
    summary: 'Try everything with a small facility of its own',
    group: 'Service',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'admin',
    summary: "Teams, keys and event types in the service's data",
    group: 'Service',
    load: async () => (await import('./admin.ts')).admin,
  },
];
