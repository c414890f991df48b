import { appointments } from './appointments.ts';
import { assetFolders, assets } from './assets.ts';
import { calendar } from './calendar.ts';
import { campaignAudiences, campaignSends, campaignSteps, campaigns } from './campaigns.ts';
import { carEvents, carPhotos, cars, eventSessions } from './cars.ts';
import { messages, threads } from './communications.ts';
import { contacts, customers } from './customers.ts';
import { eventTypes } from './event-types.ts';
import { formSubmissions, forms } from './forms.ts';
import { locations } from './locations.ts';
import { parkingAssignments, parkingSpots, parkingZones } from './parking.ts';
import type { CreateOf, FiltersOf, RecordOf, UpdateOf } from './resource.ts';
import { socialAccounts, socialPosts } from './social.ts';
import { invites, rsvpOptions, rsvps, socialEvents } from './social-events.ts';
import { me } from './team.ts';
import { templates } from './templates.ts';

/** The whole interface: every resource, in the order of the documentation. */
export const contract = {
  me,
  cars,
  carEvents,
  carPhotos,
  eventTypes,
  eventSessions,
  appointments,
  customers,
  contacts,
  locations,
  parkingZones,
  parkingSpots,
  parkingAssignments,
  threads,
  messages,
  campaigns,
  campaignAudiences,
  campaignSteps,
  campaignSends,
  templates,
  socialEvents,
  rsvpOptions,
  invites,
  rsvps,
  assets,
  assetFolders,
  forms,
  formSubmissions,
  socialAccounts,
  socialPosts,
  calendar,
} as const;

export type Contract = typeof contract;
export type ResourceName = keyof Contract;
/** The stored resources; each has a table of its name. */
export type StoredName = {
  [N in ResourceName]: Contract[N] extends { singleton: true } | { computed: true } ? never : N;
}[ResourceName];

type Stored = {
  id: string;
  teamId: string;
  createdAt: string;
  updatedAt: string;
};
/** A record of a resource, with the four fields of every stored record. */
export type RecordFor<N extends ResourceName> = (N extends StoredName ? Stored : unknown) &
  RecordOf<Contract[N]>;
export type CreateFor<N extends ResourceName> = CreateOf<Contract[N]>;
export type UpdateFor<N extends ResourceName> = UpdateOf<Contract[N]>;
/** The preconditions of a create. */
export type PreconditionsFor<N extends ResourceName> = Contract[N]['operations'] extends {
  create: { preconditions: infer P };
}
  ? { readonly [K in keyof P]?: string }
  : unknown;
export type FiltersFor<N extends ResourceName> = FiltersOf<Contract[N]>;
