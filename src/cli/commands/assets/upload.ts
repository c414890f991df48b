import { operationFor, planned } from '../../crud/operation.ts';
import { showRequests } from '../../crud/several.ts';
import { type Command, Option, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags, collect } from '../../framework/flags.ts';
import { resolveId } from '../../lookup/lookup.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import type { PlannedRequest } from '../../output/request.ts';
import { resultView } from '../../output/view.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { UploadFailure } from '../files/upload-failure.ts';
import type { PlannedFile, UploadPlan } from './plan.ts';
import type { AssetOutcome } from './send.ts';

/** What became of each file. */
const uploadView = resultView('file', ['file', 'filename', 'folder', 'status', 'assetId', 'sizeBytes', 'error']);

export function addUpload(command: Command): void {
  command
    .implementsOperation('assets.create')
    .declareOutput(uploadView)
    .summary('Send files and whole folders as assets')
    .description(
      'Send files and whole folders as assets. What is in a folder goes to --folder, or to the top; its sub-folders become folders of assets, made where they are missing. A file that is there with the same name and bytes is not sent again.',
    )
    .argument('<file...>', 'files and folders')
    .addOption(
      suggestRecords(new Option('--folder <id|name>', 'the folder of assets that they go to; the top unless given'), 'assetFolders'),
    )
    .option('--tags <a,b,…>', 'words to find them by', collect)
    .option('--alt-text <text>', 'what they show, for those who cannot see it');
  addCreateFlags(command);
  command.nameFlags({ folderId: '--folder' });
  command.examples(['cs assets upload hall.png --folder Summer --tags hall', 'cs assets upload pictures --dry-run']);

  command.handle(async (context, { args: [paths], options }) => {
    const [{ findFiles }, { planUpload, isToSend }] = await Promise.all([import('./find.ts'), import('./plan.ts')]);
    const { files, hidden } = await findFiles(paths, context.io.cwd);
    const tags = options.tags
      ?.flatMap((text: string) => text.split(','))
      .map((tag: string) => tag.trim())
      .filter(Boolean);
    const root = options.folder === undefined ? null : await resolveId(context, { resource: 'assetFolders', text: options.folder });
    const client = await context.client();
    const plan = await planUpload(client, files, root);
    if (hidden > 0) context.note(`${pluralize(hidden, 'hidden file was', 'hidden files were')} left out.`);
    const toSend = plan.files.filter(isToSend);
    if (options.dryRun) tellUnusable(context, plan);
    if (options.dryRun) return showRequests(context, requestsFor(plan, toSend, { tags, altText: options.altText }), false);
    // The question has the screen to itself.
    if (toSend.length > 0) await context.writes.permit();
    const outcomes = await send(context, plan, { ...options, tags, toSend: toSend.length });
    await report(context, outcomes);
  });
}

function tellUnusable(context: Context, { files }: UploadPlan): void {
  for (const { file, problem } of files)
    if (problem) context.note(`${shortPath(context.io.cwd, file.path)}  would not be sent: ${problem.message}`);
}

interface Sent {
  readonly tags?: readonly string[];
  readonly altText?: string;
}

/** What would be sent: first the folders, then the files. The id of a folder that is yet to be made is told by its path. */
function requestsFor({ tree, root, folders }: UploadPlan, files: readonly PlannedFile[], { tags, altText }: Sent): PlannedRequest[] {
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
  { toSend, tags, altText, idempotencyKey }: Sent & { toSend: number; idempotencyKey?: string },
): Promise<AssetOutcome[]> {
  const [{ sendAssets }, { startSpinner }] = await Promise.all([import('./send.ts'), import('../../terminal/spinner.ts')]);
  const client = await context.client();
  const spinner = await startSpinner(context, `Sending ${pluralize(toSend, 'file', 'files')}`);
  const onProgress = (done: number, filename: string) => spinner.text(`${done} of ${toSend} · ${filename}`);
  const upload = { client, plan, tags, altText, idempotencyKey, onProgress, signal: context.io.signal };
  return ignoreKeys(context, () => sendAssets(upload)).finally(() => spinner.stop());
}

async function report(context: Context, outcomes: readonly AssetOutcome[]): Promise<void> {
  const { uploadShortfall } = await import('../files/shortfall.ts');
  const ids = outcomes.flatMap(({ assetId }) => (assetId === null ? [] : [{ id: assetId }]));
  const lines = outcomes.map((outcome) => lineOf(context, outcome));
  const shown = context.output.format === 'id' ? ids : outcomes;
  await showOutcomes(context.output, { view: uploadView, outcomes: shown, lines });
  if (outcomes.length === 0) context.note('No files.');
  const failure = uploadShortfall(context.io, {
    failures: outcomes.map(({ error }) => error),
    one: 'file',
    many: 'files',
    told: context.output.format === 'table',
    hint: hintFor(outcomes.flatMap(({ error }) => error ?? [])),
  });
  if (failure) throw failure;
}

/** What would be refused again is not to be tried again. */
function hintFor(failures: readonly UploadFailure[]): string {
  if (failures.some(({ exitCode }) => exitCode !== 3)) return 'run the same command again: what is stored is not sent twice';
  const [code, another] = new Set(failures.map((failure) => failure.code.replace(/^(asset|photo)_/, '')));
  if (code === 'type_unsupported' && !another) return 'leave them out, or save them as JPEG, PNG, PDF or MP4';
  if (code === 'too_large' && !another) return 'leave them out, or save them smaller';
  return 'leave them out, or see to what is said of each';
}

function lineOf({ io }: Context, { file, filename, folder, status, assetId, error }: AssetOutcome): string {
  if (status === 'stored') return `asset ${assetId} added  ${folder === null ? '' : `${folder}/`}${filename}`;
  const words = {
    already_there: 'already there',
    not_sent: 'not sent',
    failed: `${error?.unknownOutcome ? 'may be stored' : 'not stored'}: ${error?.message}`,
  };
  return `${shortPath(io.cwd, file)}  ${words[status]}`;
}
