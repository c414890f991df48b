import type { Migration } from 'kysely/migration';
import { firstFamilies } from './0001-first-families.ts';
import { appointments } from './0002-appointments.ts';
import { contacts } from './0003-contacts.ts';
import { outbox } from './0004-outbox.ts';
import { communications } from './0005-communications.ts';
import { templates } from './0006-templates.ts';
import { campaigns } from './0007-campaigns.ts';
import { forms } from './0009-forms.ts';
import { assets } from './0010-assets.ts';
import { socialEvents } from './0011-social-events.ts';
import { social } from './0012-social.ts';
import { counts } from './0013-counts.ts';
import { addresses } from './0014-addresses.ts';
import { allowedSenders } from './0015-allowed-senders.ts';
import { search } from './0016-search.ts';
import { vinLookup } from './0017-vin-lookup.ts';

/** Every step of the tables, in order. A step that has landed never changes; what comes after is a new one. */
export const migrations: Record<string, Migration> = {
  '0001-first-families': firstFamilies,
  '0002-appointments': appointments,
  '0003-contacts': contacts,
  '0004-outbox': outbox,
  '0005-communications': communications,
  '0006-templates': templates,
  '0007-campaigns': campaigns,
  '0009-forms': forms,
  '0010-assets': assets,
  '0011-social-events': socialEvents,
  '0012-social': social,
  '0013-counts': counts,
  '0014-addresses': addresses,
  '0015-allowed-senders': allowedSenders,
  '0016-search': search,
  '0017-vin-lookup': vinLookup,
};
