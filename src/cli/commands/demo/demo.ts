import { join } from 'node:path';
import type { RunningService } from '../../../service/start.ts';
import { readConfig, writeConfig } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { quote } from '../../terminal/text.ts';
import {
  dataFolder,
  startServiceWithLog,
  waitForStop,
  withExistingData,
  withNewData,
} from '../data/data-folder.ts';
import type { DropoffPlan } from '../dropoff/action.ts';
import type { DropoffResult } from '../dropoff/shape.ts';
import { countStored } from '../photos/upload-result.ts';
import { message } from './facility.ts';
import type { Access } from './setup.ts';

const profile = 'demo';

export const demo: CommandBuilder = (command) => {
  command
    .description(
      'Try cs with sample data: starts a service with its own data folder, creates a small facility with its day, signs in as the profile "demo" and drops off a car. Safe to run again.',
    )
    // CS_DATA is ignored: it names real data.
    .option('--data <folder>', "the demo's data folder (default: a folder beside the default one)")
    .option('--keep', 'keep the service running until Ctrl-C')
    .handle((context, { options }) => {
      const data = options.data
        ? dataFolder(context.io, options.data)
        : `${dataFolder({ ...context.io, env: { ...context.io.env, CS_DATA: undefined } }, undefined)}-demo`;
      return run(context, { data, keep: options.keep === true });
    });
  command.examples(['cs demo', 'cs demo --keep', 'cs demo --data ./try-out']);
};

async function run(
  context: Context,
  { data, keep }: { data: string; keep: boolean },
): Promise<void> {
  const { io, styles } = context;
  const step = async <T>(
    doing: string,
    task: () => Promise<T>,
    done: (result: T) => string,
  ): Promise<T> => {
    const spinner = await startSpinner(context, doing);
    try {
      const result = await task();
      spinner.stop();
      if (!context.settings.quiet) io.stderr.write(`${styles.success('✓')} ${done(result)}\n`);
      return result;
    } finally {
      spinner.stop();
    }
  };

  const service = await step(
    'Starting the service',
    () => withNewData({ data }, () => startOrReuse(context, data)),
    ({ url }) => `The service runs at ${url}\n  Its data is in ${data}`,
  );
  try {
    const { key, token } = await step(
      'Creating a key',
      () => withExistingData({ data }, () => makeAccess(data, io.user())),
      () => `Signed in as the profile ${styles.strong(profile)}, with a key for the counter`,
    );
    const { connect } = await import('../../framework/connect.ts');
    const client = await connect(io, context.settings, { baseUrl: service.url, key });
    try {
      const { readAbilities } = await import('../../../client/abilities.ts');
      const abilities = await readAbilities(client.transport);
      const current = await storeProfile(context, { baseUrl: service.url, key, abilities });
      const [{ seedFacility }, { fillDay }, { planDropoff }] = await Promise.all([
        import('./setup.ts'),
        import('./day.ts'),
        import('./drop-off.ts'),
      ]);
      await step(
        'Creating a small facility',
        () => seedFacility(client, io.now()),
        () => 'A small facility: two locations with cars, customers and a message',
      );
      await step(
        'Filling the day',
        () => fillDay(client, io.now()),
        () => 'A day with arrivals and departures',
      );
      const photos = join(data, 'sample-photos');
      const plan = await step(
        'Creating two photos',
        () => planDropoff(client, photos, io.now()),
        ({ photos: created = [] }) => `${created.length} photos are in ${photos}`,
      );
      const result = await dropOff(context, plan, { client });
      await showResult(context, { plan, result, service, data, photos, current, keep, token });
    } finally {
      await client.close();
    }
    if (keep && service.close) {
      await waitForStop(io);
      context.note('Stopping: finishing open requests.');
    }
  } finally {
    await service.close?.();
  }
}

type DemoService = Pick<RunningService, 'url'> & Partial<Pick<RunningService, 'close'>>;

/** Starts the demo's service, or uses the one that is still running. */
async function startOrReuse({ io }: Context, data: string): Promise<DemoService> {
  const { FolderInUse } = await import('../../../service/data-folder/lock.ts');
  try {
    return await startServiceWithLog(
      io,
      { level: 'error', pretty: true },
      { data, port: 0, rateLimits: false },
    );
  } catch (error) {
    if (error instanceof FolderInUse && error.holder?.url) return { url: error.holder.url };
    throw error;
  }
}

async function makeAccess(data: string, actor: string): Promise<Access> {
  const [{ openStores }, service, accounts, setup] = await Promise.all([
    import('../../../service/stores.ts'),
    import('../../../service/admin.ts'),
    import('../../../service/team/owner.ts'),
    import('./setup.ts'),
  ]);
  const stores = await openStores({ data });
  try {
    return await setup.makeAccess(service, accounts, { ...stores, actor });
  } finally {
    await stores.database.close();
  }
}

/** Keeps another current profile. Returns whether the demo's profile is the current one. */
async function storeProfile(
  { io }: Context,
  stored: { baseUrl: string; key: string; abilities: unknown },
): Promise<boolean> {
  const config = readConfig(io);
  const currentProfile = config.currentProfile ?? profile;
  await writeConfig(io, { currentProfile, profiles: { ...config.profiles, [profile]: stored } });
  return currentProfile === profile;
}

type Client = Awaited<ReturnType<Context['client']>>;

async function dropOff(
  context: Context,
  plan: DropoffPlan,
  { client }: { client: Client },
): Promise<DropoffResult> {
  const [{ dropoffAction }, { openJournal, sendShown }, { resultOf }] = await Promise.all([
    import('../dropoff/action.ts'),
    import('../counter/journal.ts'),
    import('../counter/print.ts'),
  ]);
  const { labelled } = await import('../../output/labelled.ts');
  if (!context.settings.quiet)
    context.io.stderr.write(
      `\n${labelled(context, dropoffAction.summary?.(context, plan) ?? [])}\n`,
    );
  const sent = await sendShown(context, {
    what: 'drop-off',
    client,
    requests: dropoffAction.requests(plan),
    journal: openJournal({ context, client }),
  });
  return resultOf(await dropoffAction.shown(context, plan), sent) as DropoffResult;
}

interface DemoResult {
  plan: DropoffPlan;
  result: DropoffResult;
  service: DemoService;
  data: string;
  photos: string;
  /** Whether the profile is the current one. */
  current: boolean;
  /** Whether the service keeps running. */
  keep: boolean;
  /** Of the link that opens the dashboard. */
  token: string;
}

async function showResult(
  context: Context,
  { plan, result, service, data, photos, current, keep, token }: DemoResult,
): Promise<void> {
  const { io, output } = context;
  const [{ describeCar }, { describePlace }, { missingPhotosError }] = await Promise.all([
    import('../../../facility/car-names.ts'),
    import('../counter/place.ts'),
    import('../photos/upload-result.ts'),
  ]);
  const cs = io.env.npm_lifecycle_event ? 'npx cs' : 'cs';
  const as = current ? '' : ` --profile ${profile}`;
  const { port } = new URL(service.url);
  const next = {
    serve: service.close && !keep ? `${cs} serve --data ${quote(data)} --port ${port}` : undefined,
    try: [
      `${cs} today${as}`,
      `${cs} board${as}`,
      `${cs} dropoff${as} --photo ${quote(join(photos, '*.jpg'))}`,
      `${cs} threads messages list ${quote(message.subject)}${as}`,
      `${cs} --help`,
    ],
    /** Opens the team dashboard in a browser, once. */
    dashboard: `${service.url}/dashboard/link#${token}`,
  };
  const stored = countStored(result.photos);
  const car = describeCar(result.car);
  const text = [
    '',
    car,
    `is parked${plan.place ? ` in ${describePlace(plan.place)}` : ''}. ${stored} of ${result.photos.length} photos stored.`,
    '',
    ...howToGoOn(next.serve, { keep: keep && service.close !== undefined }),
    ...next.try.map((line) => `  ${line}`),
    '',
    'The team dashboard, in a browser (the link works once; cs demo makes another):',
    '',
    `  ${next.dashboard}`,
    '',
  ];
  await output.value({ url: service.url, data, profile, dropoff: result, next }, text);
  const failure = missingPhotosError(io, {
    photos: result.photos,
    car: result.car.id,
    sessionId: result.sessionId,
    options: {},
    globalFlags: current ? [] : ['--profile', profile],
    done: 'The drop-off is stored',
  });
  if (failure) throw failure;
}

function howToGoOn(serve: string | undefined, { keep }: { keep: boolean }): string[] {
  if (keep)
    return ['The service keeps running here; Ctrl-C stops it. Next, in another terminal:', ''];
  if (serve)
    return [
      'Next, start the service again and keep it running:',
      '',
      `  ${serve}`,
      '',
      'and in another terminal:',
      '',
    ];
  return ['Next:', ''];
}
