import type { ResourceName } from '../../contract/contract.ts';
import { appointments } from './appointments.ts';
import { assetFolders, assets } from './assets.ts';
import { calendar } from './calendar.ts';
import { campaignAudiences, campaignSteps, campaigns } from './campaigns.ts';
import { carEvents, carPhotos, cars } from './cars.ts';
import { messages } from './communications.ts';
import { contacts, customers } from './customers.ts';
import { formSubmissions, forms } from './forms.ts';
import { locations } from './locations.ts';
import { parkingAssignments, parkingSpots, parkingZones } from './parking.ts';
import { invites, rsvps } from './rsvps.ts';
import type { RulesOf } from './rule.ts';
import { socialPosts } from './social.ts';
import { rsvpOptions, socialEvents } from './social-events.ts';
import { templates } from './templates.ts';

export const me: RulesOf<'me'> = {
  get: ({ team, keyName, scopes, expiresAt }) => ({
    team: { id: team.id, name: team.name, slug: team.slug, timezone: team.timezone },
    keyName,
    scopes: [...scopes],
    expiresAt,
  }),
};

/** Resources with operations beyond generic code. */
type RuledName = {
  [N in ResourceName]: Record<string, never> extends RulesOf<N> ? never : N;
}[ResourceName];

/** The rules of resources. The type requires them where generic code isn't enough. */
export const rules: { [N in RuledName]: RulesOf<N> } & {
  [N in Exclude<ResourceName, RuledName>]?: RulesOf<N>;
} = {
  me,
  cars,
  carEvents,
  carPhotos,
  appointments,
  customers,
  contacts,
  locations,
  parkingZones,
  parkingSpots,
  parkingAssignments,
  messages,
  campaigns,
  campaignAudiences,
  campaignSteps,
  templates,
  socialEvents,
  rsvpOptions,
  invites,
  rsvps,
  assets,
  assetFolders,
  forms,
  formSubmissions,
  socialPosts,
  calendar,
};
