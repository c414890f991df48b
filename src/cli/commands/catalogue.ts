/** Every first word after `cs`, in the order of the help. What stands behind one is loaded only when it is typed. */
import type { CommandBuilder } from '../framework/command.ts';

export interface Entry {
  readonly name: string;
  /** The noun's singular. */
  readonly alias?: string;
  readonly summary: string;
  readonly group: 'Counter' | 'Facility' | 'Marketing' | 'Scripting' | 'Connection' | 'Service';
  readonly load: () => Promise<CommandBuilder>;
}

export const catalogue: readonly Entry[] = [
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
    load: async () => (await import('./move.ts')).move,
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
    name: 'cars',
    alias: 'car',
    summary: 'Cars, their events and photos',
    group: 'Facility',
    load: async () => (await import('./cars/cars.ts')).cars,
  },
  {
    name: 'customers',
    alias: 'customer',
    summary: 'People and companies whose cars are kept',
    group: 'Facility',
    load: async () => (await import('./customers.ts')).customers,
  },
  {
    name: 'contacts',
    alias: 'contact',
    summary: 'People to talk to about cars and companies',
    group: 'Facility',
    load: async () => (await import('./contacts.ts')).contacts,
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
    name: 'appointments',
    alias: 'appointment',
    summary: 'When cars are brought, fetched and worked on',
    group: 'Facility',
    load: async () => (await import('./appointments/appointments.ts')).appointments,
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
    name: 'threads',
    alias: 'thread',
    summary: 'Conversations and their messages',
    group: 'Marketing',
    load: async () => (await import('./threads/threads.ts')).threads,
  },
  {
    name: 'campaigns',
    alias: 'campaign',
    summary: 'What is sent to many: audiences, content, sends',
    group: 'Marketing',
    load: async () => (await import('./campaigns/campaigns.ts')).campaigns,
  },
  {
    name: 'templates',
    alias: 'template',
    summary: 'Texts to write with',
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
    summary: 'Questionnaires and what was answered',
    group: 'Marketing',
    load: async () => (await import('./forms/forms.ts')).forms,
  },
  {
    name: 'assets',
    alias: 'asset',
    summary: 'Pictures and files to publish',
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
    summary: 'Accounts that posts go out by',
    group: 'Marketing',
    load: async () => (await import('./social-accounts.ts')).socialAccounts,
  },
  {
    name: 'calendar',
    summary: 'What goes out when, over all channels',
    group: 'Marketing',
    load: async () => (await import('./calendar.ts')).calendar,
  },
  {
    name: 'api',
    summary: 'Any request, by method and path',
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
    summary: 'What an error code means and what to do',
    group: 'Scripting',
    load: async () => (await import('./explain/explain.ts')).explain,
  },
  {
    name: 'sync',
    summary: 'Keep a folder equal to the server',
    group: 'Scripting',
    load: async () => (await import('./sync/sync.ts')).sync,
  },
  {
    name: 'watch',
    summary: 'See what changes as it happens',
    group: 'Scripting',
    load: async () => (await import('./watch/watch.ts')).watch,
  },
  {
    name: 'export',
    summary: 'Write records to files',
    group: 'Scripting',
    load: async () => (await import('./export/export.ts')).exportCommand,
  },
  {
    name: 'import',
    summary: 'Make or change records from a file',
    group: 'Scripting',
    load: async () => (await import('./import/import.ts')).importCommand,
  },
  {
    name: 'auth',
    summary: 'Sign in, sign out, see who you are',
    group: 'Connection',
    load: async () => (await import('./auth/auth.ts')).auth,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: 'Servers and keys that were signed in to',
    group: 'Connection',
    load: async () => (await import('./profiles.ts')).profiles,
  },
  {
    name: 'config',
    summary: 'Every setting, and where its value comes from',
    group: 'Connection',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Find what is wrong with the connection',
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
    summary: 'Try everything with a small facility of its own',
    group: 'Service',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'admin',
    summary: "Teams, keys and event types in the service's data",
    group: 'Service',
    load: async () => (await import('./admin/admin.ts')).admin,
  },
];
