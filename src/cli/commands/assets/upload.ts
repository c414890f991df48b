import type { Context } from '../../context.ts';
import { type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect } from '../../framework/flags.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import type { PlannedRequest } from '../../output/request.ts';
import { resultView } from '../../output/view.ts';
import { showRequests } from '../../resources/batch.ts';
import { resolveId } from '../../resources/lookup.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { UploadFailure } from '../files/shape.ts';
import type { PlannedFile, UploadPlan } from './plan.ts';
import type { AssetUploadResult } from './send.ts';

const uploadView = resultView('file', [
  'file',
  'filename',
  'folder',
  'status',
  'assetId',
  'sizeBytes',
  'error',
]);

export function addUpload(command: Command): void {
  command
    .implementsOperation('assets.create')
    .declareOutput(uploadView)
    .summary('Upload files and folders as assets')
    .description(
      'Upload files and folders as assets. The content of a folder goes to --folder or the top; missing subfolders are created. Files that exist with the same name and bytes are skipped.',
    )
    .argument('<file...>', 'files and folders')
    .addOption(
      suggestRecords(
        new Option('--folder <id|name>', 'target asset folder (default: the top)'),
        'assetFolders',
      ),
    )
    .option('--tags <a,b,…>', 'tags of the assets; repeatable', collect)
    .option('--alt-text <text>', 'alternative text for images');
  addCreateFlags(command);
  command.nameFlags({ folderId: '--folder' });
  command.examples([
    'cs assets upload hall.png --folder Summer --tags hall',
    'cs assets upload pictures --dry-run',
  ]);

  command.workInBulk().handle(async (context, { args: [paths], options }) => {
    const [{ findFiles }, { planUpload, needsUpload }] = await Promise.all([
      import('./local-files.ts'),
      import('./plan.ts'),
    ]);
    const { files, hidden } = await findFiles(paths, context.io.cwd);
    const tags = options.tags
      ?.flatMap((text: string) => text.split(','))
      .map((tag: string) => tag.trim())
      .filter(Boolean);
    const root =
      options.folder === undefined
        ? null
        : await resolveId(context, { resource: 'assetFolders', text: options.folder });
    const client = await context.client();
    const plan = await planUpload(client, files, root);
    if (hidden > 0) context.note(`${pluralize(hidden, 'hidden file', 'hidden files')} skipped.`);
    const toSend = plan.files.filter(needsUpload);
    if (options.dryRun) noteInvalid(context, plan);
    if (options.dryRun)
      return showRequests(
        context,
        requestsFor(plan, toSend, { tags, altText: options.altText }),
        false,
      );
    // Before the spinner: it may prompt.
    if (toSend.length > 0) await context.writes.permit();
    const results = await send(context, plan, { ...options, tags, toSend: toSend.length });
    await printResults(context, results);
  });
}

function noteInvalid(context: Context, { files }: UploadPlan): void {
  for (const { file, problem } of files)
    if (problem)
      context.note(`${shortPath(context.io.cwd, file.path)}  invalid: ${problem.message}`);
}

interface SharedFields {
  readonly tags?: readonly string[];
  readonly altText?: string;
}

/** The requests: folders first, then files. A new folder has a placeholder for its id. */
function requestsFor(
  { tree, root, folders }: UploadPlan,
  files: readonly PlannedFile[],
  { tags, altText }: SharedFields,
): PlannedRequest[] {
  const folderId = (path: readonly string[]) =>
    tree.find(root, path) ?? (path.length > 0 ? `(id of the new folder ${path.join('/')})` : null);
  return [
    ...folders.map((path) =>
      planned(operationFor('assetFolders', 'create'), [], {
        name: path.at(-1),
        parentId: path.length > 1 ? folderId(path.slice(0, -1)) : root,
      }),
    ),
    ...files.map(({ file, folder }) =>
      planned(operationFor('assets', 'create'), [], {
        folderId: folderId(folder),
        filename: file.filename,
        base64: `(${file.size} bytes)`,
        tags,
        altText,
      }),
    ),
  ];
}

async function send(
  context: Context,
  plan: UploadPlan,
  {
    toSend,
    tags,
    altText,
    idempotencyKey,
  }: SharedFields & { toSend: number; idempotencyKey?: string },
): Promise<AssetUploadResult[]> {
  const [{ sendAssets }, { startSpinner }] = await Promise.all([
    import('./send.ts'),
    import('../../terminal/spinner.ts'),
  ]);
  const client = await context.client();
  const spinner = await startSpinner(context, `Sending ${pluralize(toSend, 'file', 'files')}`);
  const onProgress = (done: number, filename: string) =>
    spinner.text(`${done} of ${toSend} · ${filename}`);
  const upload = {
    client,
    plan,
    tags,
    altText,
    idempotencyKey,
    onProgress,
    signal: context.io.signal,
  };
  return ignoreKeys(context, () => sendAssets(upload)).finally(() => spinner.stop());
}

async function printResults(
  context: Context,
  results: readonly AssetUploadResult[],
): Promise<void> {
  const { incompleteUpload } = await import('../files/upload-failure.ts');
  const ids = results.flatMap(({ assetId }) => (assetId === null ? [] : [{ id: assetId }]));
  const lines = results.map((result) => lineOf(context, result));
  const shown = context.output.format === 'id' ? ids : results;
  await showOutcomes(context.output, { view: uploadView, outcomes: shown, lines });
  if (results.length === 0) context.note('No files.');
  const failure = incompleteUpload(context.io, {
    failures: results.map(({ error }) => error),
    one: 'file',
    many: 'files',
    reasonsShown: context.output.forPeople,
    hint: hintFor(results.flatMap(({ error }) => error ?? [])),
  });
  if (failure) throw failure;
}

/** Invalid files fail again until they are fixed. */
function hintFor(failures: readonly UploadFailure[]): string {
  if (failures.some(({ exitCode }) => exitCode !== 3))
    return 'run the same command again: stored files are skipped';
  return 'leave them out, or fix the files listed above';
}

function lineOf(
  { io }: Context,
  { file, filename, folder, status, assetId, error }: AssetUploadResult,
): string {
  if (status === 'stored')
    return `asset ${assetId} added  ${folder === null ? '' : `${folder}/`}${filename}`;
  const words = {
    already_there: 'already there',
    not_sent: 'not sent',
    failed: `${error?.unknownOutcome ? 'upload interrupted, may be stored' : 'not stored'}: ${error?.message}`,
  };
  return `${shortPath(io.cwd, file)}  ${words[status]}`;
}
