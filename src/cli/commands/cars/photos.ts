import type { PhotoType } from '../../../contract/cars.ts';
import { contract } from '../../../contract/contract.ts';
import { aboutMegabytes, formatBytes, photoLimit } from '../../../contract/limits.ts';
import type { Context } from '../../context.ts';
import { declined, usage } from '../../errors/exit.ts';
import { Argument, type Command, suggestRecords } from '../../framework/command.ts';
import { addIdsFlag, addWriteFlags, collect, wholeNumber } from '../../framework/flags.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { idColumn, type Row, timeColumn } from '../../output/view.ts';
import { idsGiven } from '../../resources/batch.ts';
import { checkValues, flagFields } from '../../resources/fields.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { viewOf } from '../../resources/view.ts';
import { shortPath } from '../../terminal/text.ts';
import { savedView } from '../files/view.ts';
import {
  addPhoneFlags,
  addPhotoFlags,
  checkPhoneFlags,
  type PhoneFlags,
  photoNeed,
} from '../photos/flags.ts';
import type { AddedPhoto } from '../photos/shape.ts';
import { addedView, checkedView, formatDimensions } from '../photos/view.ts';
import { missingView } from './view.ts';

const photoView = viewOf('carPhotos', {
  columns: [
    { header: 'file', cell: (row) => row.filename },
    {
      header: 'size',
      cell: (row) => (typeof row.sizeBytes === 'number' ? formatBytes(row.sizeBytes) : ''),
      align: 'right',
    },
    {
      header: 'pixels',
      cell: (row) => (row.width ? formatDimensions(row as never) : ''),
      droppable: true,
    },
    timeColumn('added', 'createdAt'),
    idColumn,
  ],
  title: (row) => row.filename ?? '',
  emptyHint: 'Add photos with `cs cars photos add CAR FILE…`.',
});

export function addPhotoCommands(command: Command): void {
  addCrudCommands(command, {
    resource: 'carPhotos',
    view: photoView,
    verbs: ['list', 'get', 'delete'],
    examples: {
      list: ['cs cars photos list "WN AB 123"', 'cs cars photos list Greta -o id'],
      get: ['cs cars photos get "WN AB 123" front.jpg'],
      delete: [
        'cs cars photos delete "WN AB 123" front.jpg',
        'cs cars photos delete Greta front.jpg rear.jpg --confirm 2',
      ],
    },
  });
  addAdd(command.command('add'));
  addVerify(command.command('verify'));
  addMissing(command.command('missing'));
  addDownload(command.command('download'));
  command.examples([
    'cs cars photos add "WN AB 123" front.jpg rear.jpg',
    'cs cars photos download "WN AB 123" --to greta/',
  ]);
}

const maxParallel = 16;

const addFolderFlags = (command: Command): Command =>
  command.option('--recursive', 'photos in the folders of a folder, too');

function addAdd(command: Command): void {
  command
    .implementsOperation('carPhotos.create')
    .declareOutput(addedView)
    .summary('Add photos to a car')
    .description(
      `Add photos to a car. Photos above ${aboutMegabytes(photoLimit)} are shrunk. The location is removed from the metadata.`,
    )
    .addArgument(
      suggestRecords(new Argument('<car>', 'id, plate, VIN or nickname of the car'), 'cars'),
    )
    .argument('[file...]', 'photos, folders or patterns')
    .option('--session <id>', 'event session of the photos')
    .option('--source-url <url>', 'address of a photo that the server fetches, instead of a file')
    .option('--filename <name>', 'name of the photo (default: that of the file)')
    .option('--content-type <type>', 'media type of the photo at --source-url')
    .option(
      '--parallel <count>',
      `number of parallel uploads, 1 to ${maxParallel} (default: 4)`,
      wholeNumber,
    )
    .option(
      '--verify',
      "compare the server's photos with what was sent; exit 11 if one is missing",
    );
  addWriteFlags(addPhoneFlags(addPhotoFlags(addFolderFlags(command))));
  for (const flag of ['recursive', 'verify', 'parallel', 'phone'])
    command.onlyOneOf(flag, 'sourceUrl');
  command.nameFlags({ sessionId: '--session' }).needs(photoNeed);
  command.examples([
    'cs cars photos add "WN AB 123" front.jpg rear.jpg',
    "cs cars photos add Greta --session ID 'shots/*.jpg'",
    'cs cars photos add Greta shots/ --recursive --verify',
    '# with a phone: scan the code that the terminal shows',
    'cs cars photos add Greta --phone',
  ]);
  command.workInBulk().handle(async (context, { args: [carText, patterns = []], options }) => {
    if (options.sourceUrl !== undefined)
      return addFromUrl(context, carText, {
        ...options,
        sourceUrl: options.sourceUrl,
        files: patterns,
      });
    if (options.contentType !== undefined)
      throw usage(
        '--content-type needs --source-url.',
        'leave it out: the type of a file is found in it',
      );
    checkPhoneFlags(context, options);
    if (patterns.length === 0 && !options.phone)
      throw usage(
        'Missing required argument: FILE.',
        'give photos, --phone to take them with a phone, or --source-url with an address',
      );
    const { parallel } = options;
    if (parallel !== undefined && (parallel < 1 || parallel > maxParallel))
      throw usage(`--parallel ${parallel} is out of range.`, `give 1 to ${maxParallel}`);
    const makePlan = async () => {
      const found = await findFiles(context, patterns, options);
      if (options.filename !== undefined && (options.phone || found.length > 1))
        throw usage('--filename names one photo.', 'add the others without it');
      const carId = await resolveId(context, { resource: 'cars', text: carText });
      const { session: sessionId, filename, keepLocation, resize } = options;
      const files = options.phone ? await withPhoneFiles(context, found, carText, options) : found;
      return { carId, car: carText, sessionId, files, filename, keepLocation, resize };
    };
    if (options.dryRun) {
      const { carId, sessionId, files } = await makePlan();
      const body = { sessionId, photos: files.map((file) => shortPath(context.io.cwd, file)) };
      return context.output.request({
        method: 'POST',
        path: `/api/v1/cars/${carId}/photos`,
        body,
      });
    }
    const { addPhotos } = await import('./add-photos.ts');
    return addPhotos(context, {
      // The number of parallel uploads changes nothing of what is stored.
      flags: { car: carText, patterns, ...options, parallel: undefined },
      patterns,
      makePlan,
      parallel,
      verify: options.verify,
    });
  });
}

function addVerify(command: Command): void {
  command
    .implementsOperation('carPhotos.list')
    .declareOutput(checkedView)
    .summary('Compare files with the photos of a car')
    .description(
      [
        'Compare files with the photos of a car: whether the server has each, as `cs cars photos add` sends it with the same flags. Stores nothing. Exit 12 if a photo is missing, or the server shows too little to tell.',
        'Compares the hash (same_bytes). Where the server shows none, it compares name and size (same_name_and_size), which proves less.',
      ].join('\n'),
    )
    .addArgument(
      suggestRecords(new Argument('<car>', 'id, plate, VIN or nickname of the car'), 'cars'),
    )
    .argument('<file...>', 'photos, folders or patterns')
    .option('--session <id>', 'only photos of this session')
    .option('--keep-location', 'the photos were sent with --keep-location')
    .option('--no-resize', 'the photos were sent with --no-resize');
  addFolderFlags(command);
  command.examples([
    'cs cars photos verify Greta shots/ --recursive',
    'cs cars photos verify "WN AB 123" front.jpg --session ID',
  ]);
  command.handle(async (context, { args: [carText, patterns], options }) => {
    const [files, carId, { verifyPhotos }] = await Promise.all([
      findFiles(context, patterns, options),
      resolveId(context, { resource: 'cars', text: carText }),
      import('./verify-photos.ts'),
    ]);
    const { session: sessionId, keepLocation, resize } = options;
    return verifyPhotos(context, { carId, sessionId, keepLocation, resize, files });
  });
}

function addMissing(command: Command): void {
  command
    .declareOutput(missingView)
    .summary('List cars whose last drop-off lacks a photo')
    .description(
      'List the cars that are here and whose last drop-off lacks a photo of the list of its event type, with the names of what is missing. The lists are those of the server (`cs admin event-type photos`), or else of the profile (`cs config set photos.TYPE`).\nA file is named for what it shows: front.jpg, or front-2.jpg.',
    )
    .needs(
      { part: 'carEvents.list', otherwise: 'exit 9' },
      { part: 'carPhotos.list', otherwise: 'exit 9' },
      { part: 'cars.parkingSpotId', otherwise: 'cars that have left are listed too' },
    );
  command.examples(['cs cars photos missing', "cs cars photos missing --jq '.[].licensePlate'"]);
  command.handle(async (context) =>
    (await import('./missing-photos.ts')).listMissingPhotos(context),
  );
}

async function findFiles(
  { io }: Context,
  patterns: readonly string[],
  { recursive }: { readonly recursive?: boolean },
): Promise<string[]> {
  const { findPhotos } = await import('../photos/find.ts');
  return findPhotos(patterns, { cwd: io.cwd, home: io.home, recursive });
}

/** The photos of a phone after the files. Leaving without photos leaves the command, unless there are files. */
async function withPhoneFiles(
  context: Context,
  files: readonly string[],
  car: string,
  options: PhoneFlags,
): Promise<string[]> {
  const { photosFromPhone } = await import('../photos/from-phone.ts');
  const photos = await photosFromPhone(context, options, { title: `${car} · photos` });
  if (files.length + photos.length === 0) throw declined('Nothing was stored.');
  return [...files, ...photos.map(({ path }) => path)];
}

interface UrlOptions {
  readonly files: readonly string[];
  readonly sourceUrl: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly session?: string;
  readonly dryRun?: boolean;
}

const urlFields = flagFields({
  sourceUrl: contract.carPhotos.fields.sourceUrl,
  filename: contract.carPhotos.fields.filename,
});

/** The server fetches the photo, so its bytes aren't changed. */
async function addFromUrl(context: Context, carText: string, options: UrlOptions): Promise<void> {
  const { files, sourceUrl, filename, contentType, session: sessionId, dryRun } = options;
  if (files.length > 0)
    throw usage("Files and --source-url can't be used together.", 'add them in two commands');
  checkValues(urlFields, { sourceUrl, filename });
  if (!/^https?:/i.test(sourceUrl))
    throw usage(
      `--source-url: "${sourceUrl}" isn't a public address.`,
      'give one that begins with https://, or the file itself',
    );
  const carId = await resolveId(context, { resource: 'cars', text: carText });
  // The server refuses a type that it doesn't take.
  const body = {
    sessionId,
    sourceUrl,
    filename,
    contentType: contentType as PhotoType | undefined,
  };
  if (dryRun)
    return context.output.request({ method: 'POST', path: `/api/v1/cars/${carId}/photos`, body });
  const photo = await (await context.client()).carPhotos.create(carId, body);
  const { id: photoId, sizeBytes, width, height } = photo;
  const added: AddedPhoto = {
    file: sourceUrl,
    filename: photo.filename,
    status: 'stored',
    photoId,
    sameAs: null,
    sizeBytes,
    originalSizeBytes: null,
    width,
    height,
    shrunk: null,
    locationRemoved: null,
    error: null,
    verified: null,
  };
  await showOutcomes(context.output, {
    view: addedView,
    outcomes: context.output.format === 'id' ? [{ id: photoId }] : [added],
    lines: [`photo ${photoId} added  ${photo.filename}`],
  });
}

function addDownload(command: Command): void {
  command
    .implementsOperation('carPhotos.content')
    .declareOutput(savedView)
    .summary('Download photos of a car')
    .description(
      'Download photos of a car (default: all). Existing files are kept; use --overwrite to replace them.',
    )
    .addArgument(
      suggestRecords(new Argument('<car>', 'id, plate, VIN or nickname of the car'), 'cars'),
    )
    .addArgument(
      suggestRecords(new Argument('[photo...]', 'ids or file names of photos'), 'carPhotos', {
        within: true,
      }),
    );
  addIdsFlag(command)
    .option('--to <folder>', 'target folder, created if missing (default: the current folder)', '.')
    .option('--session <id>', 'only photos of this session; repeatable', collect)
    .option('--overwrite', 'replace existing files');
  command.examples([
    'cs cars photos download "WN AB 123" --to greta/',
    'cs cars photos download Greta front.jpg',
    'cs cars photos list Greta -o id | cs cars photos download Greta --ids - --to greta/',
  ]);
  command.handle(async (context, { args: [carText, names = []], options }) => {
    const named = names.length > 0 || options.ids !== undefined;
    if (named && options.session)
      throw usage(
        "Photos and --session can't be used together.",
        'use one of them; --session alone downloads all photos of the session',
      );
    const [{ saveFiles }, { distinctNames }] = await Promise.all([
      import('../files/save.ts'),
      import('../files/names.ts'),
    ]);
    const carId = await resolveId(context, { resource: 'cars', text: carText });
    const client = await context.client();
    const photos: Row[] = [];
    if (named) {
      const ids = await idsGiven(context, {
        resource: 'carPhotos',
        within: [carId],
        names,
        ids: options.ids,
      });
      for (const id of ids) photos.push(await client.carPhotos.get(carId, id));
    } else {
      for (const sessionId of options.session ?? [undefined])
        photos.push(...(await gather(client.carPhotos.all(carId, { sessionId }))));
    }
    const paths = distinctNames(
      photos.map(({ id, filename }) => ({ id, name: filename })),
      'photo',
    );
    const files = photos.map(({ id, sha256 }, index) => ({
      id,
      path: paths[index] as string,
      sha256,
      read: async () => (await client.carPhotos.content(carId, id)).body,
    }));
    const { to: folder, overwrite } = options;
    await saveFiles(context, { files, folder, overwrite, one: 'photo', many: 'photos' });
  });
}
