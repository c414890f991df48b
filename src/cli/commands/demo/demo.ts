import { join } from 'node:path';
import type { RunningService } from '../../../service/start.ts';
import { readConfig, writeConfig } from '../../config/config.ts';
import type { ExitCode } from '../../errors/exit.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { quote } from '../../terminal/text.ts';
import { dataFolder, onData, onNewData } from '../data/data-folder.ts';
import type { DropoffResult } from '../dropoff/perform.ts';
import type { DropoffPlan } from '../dropoff/plan.ts';
import { countStored } from '../photos/upload-result.ts';

const profile = 'demo';

export const demo: CommandBuilder = (command) => {
  command
    .description(
      'Try everything: starts a service with data of its own, makes a small facility,\nsigns in as the profile "demo" and takes a car in. Can be run again.',
    )
    // Not where CS_DATA says: there is what is no demo.
    .option('--data <folder>', "where the demo's data is; a folder of its own unless given")
    .handle((context, { options }) =>
      run(
        context,
        options.data
          ? dataFolder(context.io, options.data)
          : `${dataFolder({ ...context.io, env: { ...context.io.env, CS_DATA: undefined } }, undefined)}-demo`,
      ),
    );
  command.examples(['cs demo', 'cs demo --data ./try-out']);
};

async function run(context: Context, data: string): Promise<ExitCode | undefined> {
  const { io, paint } = context;
  const step = async <T>(doing: string, task: () => Promise<T>, done: (result: T) => string): Promise<T> => {
    const spinner = await startSpinner(context, doing);
    try {
      const result = await task();
      spinner.stop();
      if (!context.settings.quiet) io.stderr.write(`${paint.good('✓')} ${done(result)}\n`);
      return result;
    } finally {
      spinner.stop();
    }
  };

  const service = await step(
    'Starting the service',
    () => onNewData({ data }, () => startOrFind(context, data)),
    ({ url }) => `The service runs at ${url}, its data is in ${data}`,
  );
  try {
    const key = await step(
      'Making a key',
      () => onData({ data }, () => makeKey(data, io.user())),
      () => `Signed in as the profile ${paint.strong(profile)}, with a key for the counter`,
    );
    const current = await storeProfile(context, { baseUrl: service.url, key });
    const { connect } = await import('../../framework/connect.ts');
    const client = await connect(io, context.settings, { baseUrl: service.url, key });
    try {
      const [{ fillFacility }, { planDropoff }] = await Promise.all([import('./setup.ts'), import('./drop-off.ts')]);
      await step(
        'Making a small facility',
        () => fillFacility(client).then(() => count(client)),
        (counts) => `A small facility: ${counts}`,
      );
      const photos = join(data, 'sample-photos');
      const plan = await step(
        'Taking two photos',
        () => planDropoff(client, photos, io.now()),
        (made) => `${made.photos.length} photos are in ${photos}`,
      );
      const result = await takeIn(context, plan, { client });
      return await tell(context, { plan, result, service, data, photos, current });
    } finally {
      await client.close();
    }
  } finally {
    await service.close?.();
  }
}

type Found = Pick<RunningService, 'url'> & Partial<Pick<RunningService, 'close'>>;

/** The demo's own service; or, when it was left running, that one. */
async function startOrFind({ io }: Context, data: string): Promise<Found> {
  const [{ startService }, { createLog }, { FolderInUse }] = await Promise.all([
    import('../../../service/start.ts'),
    import('../../../service/log.ts'),
    import('../../../service/data-folder/lock.ts'),
  ]);
  try {
    return await startService({ data, port: 0, rateLimits: false, logger: createLog({ level: 'error', stream: io.stderr, pretty: true }) });
  } catch (error) {
    if (error instanceof FolderInUse && error.holder?.url) return { url: error.holder.url };
    throw error;
  }
}

async function makeKey(data: string, actor: string): Promise<string> {
  const [{ openStores }, service, setup] = await Promise.all([
    import('../../../service/stores.ts'),
    import('../../../service/admin.ts'),
    import('./setup.ts'),
  ]);
  const stores = await openStores({ data });
  try {
    return await setup.makeKey(service, { ...stores, actor });
  } finally {
    await stores.database.close();
  }
}

/** Answers whether the profile is the current one: another that is in use stays so. */
async function storeProfile({ io }: Context, made: { baseUrl: string; key: string }): Promise<boolean> {
  const config = readConfig(io);
  const currentProfile = config.currentProfile ?? profile;
  await writeConfig(io, { currentProfile, profiles: { ...config.profiles, [profile]: made } });
  return currentProfile === profile;
}

type Client = Awaited<ReturnType<Context['client']>>;

async function count(client: Client): Promise<string> {
  const totals = await Promise.all(
    [client.locations, client.parkingZones, client.parkingSpots, client.cars, client.customers].map(
      async ({ list }) => (await list({ limit: 1 })).total,
    ),
  );
  const words = ['locations', 'zones', 'spots', 'cars', 'customers'];
  return words.map((word, index) => `${totals[index]} ${word}`).join(', ');
}

async function takeIn(context: Context, plan: DropoffPlan, { client }: { client: Client }): Promise<DropoffResult> {
  const [{ performDropoff, planSummary }, { showProgress }] = await Promise.all([
    import('../dropoff/perform.ts'),
    import('../counter/progress.ts'),
  ]);
  if (!context.settings.quiet) context.io.stderr.write(planSummary(context, plan, {}));
  const onProgress = showProgress(context, { what: 'drop-off', photos: plan.photos, options: {} });
  return ignoreKeys(context, () => performDropoff({ client, plan, onProgress, signal: context.io.signal }).finally(onProgress.end));
}

interface Story {
  plan: DropoffPlan;
  result: DropoffResult;
  service: Found;
  data: string;
  photos: string;
  /** Whether the profile is the current one. */
  current: boolean;
}

async function tell(context: Context, { plan, result, service, data, photos, current }: Story): Promise<ExitCode | undefined> {
  const { io, output } = context;
  const [{ describeCar }, { describePlace }, { missingPhotosError }] = await Promise.all([
    import('../../lookup/car.ts'),
    import('../counter/place.ts'),
    import('../photos/upload-result.ts'),
  ]);
  const cs = io.env.npm_lifecycle_event ? 'npx cs' : 'cs';
  const as = current ? '' : ` --profile ${profile}`;
  const { port } = new URL(service.url);
  const next = {
    serve: service.close ? `${cs} serve --data ${quote(data)} --port ${port}` : undefined,
    try: [`${cs} cars list${as}`, `${cs} dropoff${as} --photo ${quote(join(photos, '*.jpg'))}`, `${cs} --help`],
  };
  const stored = countStored(result.photos);
  const car = describeCar(result.car);
  const text = [
    '',
    car,
    `is in: ${plan.place ? `on ${describePlace(plan.place)}, ` : ''}with ${stored} of ${result.photos.length} photos.`,
    '',
    ...(next.serve
      ? ['Next, start the service again and leave it running:', '', `  ${next.serve}`, '', 'and in another terminal:', '']
      : ['Next:', '']),
    ...next.try.map((line) => `  ${line}`),
    '',
  ];
  await output.value({ url: service.url, data, profile, dropoff: result, next }, text);
  const failure = missingPhotosError(io, {
    photos: result.photos,
    carId: result.car.id,
    sessionId: result.sessionId,
    options: {},
    globalFlags: current ? [] : ['--profile', profile],
    done: 'The drop-off is stored',
  });
  if (failure) throw failure;
  return undefined;
}
