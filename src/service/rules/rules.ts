import type { ResourceName } from '../../contract/contract.ts';
import { appointments } from './appointments.ts';
import { assetFolders } from './asset-folders.ts';
import { assets } from './assets.ts';
import { campaignAudiences } from './audiences.ts';
import { calendar } from './calendar.ts';
import { campaigns } from './campaigns.ts';
import { cars } from './cars.ts';
import { messages } from './communications.ts';
import { contacts } from './contacts.ts';
import { campaignSteps } from './content-steps.ts';
import { customers } from './customers.ts';
import { carEvents } from './events.ts';
import { formSubmissions, forms } from './forms.ts';
import { invites } from './invites.ts';
import { locations } from './locations.ts';
import { me } from './me.ts';
import { parkingAssignments, parkingSpots, parkingZones } from './parking.ts';
import { carPhotos } from './photos.ts';
import { rsvpOptions } from './rsvp-options.ts';
import { rsvps } from './rsvps.ts';
import type { RulesOf } from './rule.ts';
import { socialPosts } from './social.ts';
import { socialEvents } from './social-events.ts';
import { templates } from './templates.ts';

/** The behaviour that no declaration states, by resource. What generic code cannot do must stand here: the type says so. */
export const rules: { [N in ResourceName]: RulesOf<N> } = {
  me,
  cars,
  carEvents,
  carPhotos,
  eventTypes: {},
  eventSessions: {},
  appointments,
  customers,
  contacts,
  locations,
  parkingZones,
  parkingSpots,
  parkingAssignments,
  threads: {},
  messages,
  campaigns,
  campaignAudiences,
  campaignSteps,
  campaignSends: {},
  templates,
  socialEvents,
  rsvpOptions,
  invites,
  rsvps,
  assets,
  assetFolders,
  forms,
  formSubmissions,
  socialAccounts: {},
  socialPosts,
  calendar,
};
