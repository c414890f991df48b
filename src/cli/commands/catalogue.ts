/** The top-level commands in the order of the help. A command's code is loaded only when it is used. */
import type { WriteCheck } from '../context.ts';
import { type Catalogue, treeOf } from '../framework/tree/live-tree.ts';
import type { Tree } from '../framework/tree/tree.ts';

export const catalogue: Catalogue = [
  {
    name: 'dropoff',
    summary: 'Drop a car off: event, parking and photos',
    group: 'Counter',
    load: async () => (await import('./dropoff/dropoff.ts')).dropoff,
  },
  {
    name: 'pickup',
    summary: 'Hand a car over and free its place',
    group: 'Counter',
    load: async () => (await import('./pickup/pickup.ts')).pickup,
  },
  {
    name: 'move',
    summary: 'Move a car to another spot or zone',
    group: 'Counter',
    load: async () => (await import('./move/move.ts')).move,
  },
  {
    name: 'undo',
    summary: 'Take back the last drop-off, pick-up or move',
    group: 'Counter',
    load: async () => (await import('./undo/undo.ts')).undo,
  },
  {
    name: 'today',
    summary: 'Arrivals, departures and late appointments',
    group: 'Counter',
    load: async () => (await import('./today/today.ts')).today,
  },
  {
    name: 'board',
    summary: 'Zones with their free and taken spots',
    group: 'Counter',
    load: async () => (await import('./board/board.ts')).board,
  },
  {
    name: 'open',
    summary: 'The team dashboard in a browser',
    group: 'Counter',
    load: async () => (await import('./open/open.ts')).open,
  },
  {
    name: 'pending',
    summary: 'What was begun and not finished',
    group: 'Counter',
    load: async () => (await import('./pending/pending.ts')).pending,
  },
  {
    name: 'cars',
    alias: 'car',
    summary: 'Cars, their events and photos',
    group: 'Facility',
    load: async () => (await import('./cars/cars.ts')).cars,
  },
  {
    name: 'customers',
    alias: 'customer',
    summary: 'People and companies that own cars',
    group: 'Facility',
    load: async () => (await import('./customers/customers.ts')).customers,
  },
  {
    name: 'contacts',
    alias: 'contact',
    summary: 'Contact people of customers',
    group: 'Facility',
    load: async () => (await import('./contacts/contacts.ts')).contacts,
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
    summary: 'Zones, spots and assignments of cars',
    group: 'Facility',
    load: async () => (await import('./parking/parking.ts')).parking,
  },
  {
    name: 'appointments',
    alias: 'appointment',
    summary: 'Appointments for drop-off, pick-up and work',
    group: 'Facility',
    load: async () => (await import('./appointments/appointments.ts')).appointments,
  },
  {
    name: 'event-types',
    alias: 'event-type',
    summary: 'Types of events to log',
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
    name: 'threads',
    alias: 'thread',
    summary: 'Conversations and their messages',
    group: 'Marketing',
    load: async () => (await import('./threads/threads.ts')).threads,
  },
  {
    name: 'campaigns',
    alias: 'campaign',
    summary: 'Bulk messages: audiences, content, sends',
    group: 'Marketing',
    load: async () => (await import('./campaigns/campaigns.ts')).campaigns,
  },
  {
    name: 'templates',
    alias: 'template',
    summary: 'Message templates',
    group: 'Marketing',
    load: async () => (await import('./templates/templates.ts')).templates,
  },
  {
    name: 'social-events',
    alias: 'social-event',
    summary: 'Events with RSVP options, invites and RSVPs',
    group: 'Marketing',
    load: async () => (await import('./social-events.ts')).socialEvents,
  },
  {
    name: 'forms',
    alias: 'form',
    summary: 'Forms and their submissions',
    group: 'Marketing',
    load: async () => (await import('./forms/forms.ts')).forms,
  },
  {
    name: 'assets',
    alias: 'asset',
    summary: 'Images and files for marketing',
    group: 'Marketing',
    load: async () => (await import('./assets/assets.ts')).assets,
  },
  {
    name: 'asset-folders',
    alias: 'asset-folder',
    summary: 'Folders of assets',
    group: 'Marketing',
    load: async () => (await import('./asset-folders.ts')).assetFolders,
  },
  {
    name: 'social-posts',
    alias: 'social-post',
    summary: 'Posts on social media',
    group: 'Marketing',
    load: async () => (await import('./social-posts.ts')).socialPosts,
  },
  {
    name: 'social-accounts',
    alias: 'social-account',
    summary: 'Connected social accounts',
    group: 'Marketing',
    load: async () => (await import('./social-accounts.ts')).socialAccounts,
  },
  {
    name: 'calendar',
    summary: 'Scheduled items of all channels',
    group: 'Marketing',
    load: async () => (await import('./calendar.ts')).calendar,
  },
  {
    name: 'api',
    summary: 'Send any API request by method and path',
    group: 'Scripting',
    load: async () => (await import('./api/api.ts')).api,
  },
  {
    name: 'schema',
    summary: 'Fields, filters and verbs of a resource',
    group: 'Scripting',
    load: async () => (await import('./schema/schema.ts')).schema,
  },
  {
    name: 'explain',
    summary: 'Meaning and next step of an error code',
    group: 'Scripting',
    load: async () => (await import('./explain/explain.ts')).explain,
  },
  {
    name: 'sync',
    summary: 'Mirror records into a database',
    group: 'Scripting',
    load: async () => (await import('./sync/sync.ts')).sync,
  },
  {
    name: 'watch',
    summary: 'Show changes as they happen',
    group: 'Scripting',
    load: async () => (await import('./watch/watch.ts')).watch,
  },
  {
    name: 'export',
    summary: 'Export records to files',
    group: 'Scripting',
    load: async () => (await import('./export/export.ts')).exportCommand,
  },
  {
    name: 'import',
    summary: 'Create or update records from a file',
    group: 'Scripting',
    load: async () => (await import('./import/import.ts')).importCommand,
  },
  {
    name: 'auth',
    summary: 'Sign in, sign out, show the current key',
    group: 'Connection',
    load: async () => (await import('./auth/auth.ts')).auth,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: 'Saved servers and keys',
    group: 'Connection',
    load: async () => (await import('./profiles.ts')).profiles,
  },
  {
    name: 'config',
    summary: 'Settings and the origin of their values',
    group: 'Connection',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Check the connection and find problems',
    group: 'Connection',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'Complete commands, flags and values in your shell',
    group: 'Connection',
    load: async () => (await import('./completion/completion.ts')).completion,
  },
  {
    name: 'version',
    summary: 'Show the version',
    group: 'Connection',
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'serve',
    summary: 'Run the service on this machine',
    group: 'Service',
    load: async () => (await import('./serve/serve.ts')).serve,
  },
  {
    name: 'demo',
    summary: 'Try cs with a small sample facility',
    group: 'Service',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'admin',
    summary: "Administer the service's data: teams, keys, backups",
    group: 'Service',
    load: async () => (await import('./admin/admin.ts')).admin,
  },
];

/** Rules for the writes of every command. */
export const writeChecks: readonly (() => Promise<WriteCheck>)[] = [
  async () => (await import('./campaigns/check-start.ts')).checkCampaignStarts,
];

/** The description of the commands, from the commands themselves. */
export const liveTree: Tree = treeOf(catalogue);
