import type { Client, RecordFor } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { Argument, type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addIdsFlag } from '../../framework/flags.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { idsGiven } from '../../resources/batch.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { pluralize } from '../../terminal/text.ts';
import { savedView } from '../files/view.ts';

type Asset = RecordFor<'assets'>;

interface Selection {
  readonly assets: readonly Asset[];
  /** The folder that becomes --to; null for the top, undefined for assets given by name. */
  readonly root: string | null | undefined;
}

export function addDownload(command: Command): void {
  command
    .implementsOperation('assets.content')
    .declareOutput(savedView)
    .summary('Download assets')
    .description(
      'Download assets by name, from a folder with its subfolders, or all, into the same folders. Existing files are kept; use --overwrite to replace them. Files with the same bytes are skipped.',
    )
    .addArgument(
      suggestRecords(new Argument('[asset...]', 'ids or file names of assets'), 'assets'),
    )
    .addOption(
      suggestRecords(
        new Option('--folder <id|name>', 'assets of this folder and its subfolders'),
        'assetFolders',
      ),
    )
    .option('--all', 'all assets');
  addIdsFlag(command)
    .option('--to <folder>', 'target folder, created if missing (default: the current folder)', '.')
    .option('--overwrite', 'replace existing files');
  command.examples([
    'cs assets download hall.png --to pictures',
    'cs assets download --folder Summer --to pictures',
    'cs assets list --q hall -o id | cs assets download --ids - --to pictures',
    'cs assets download --all --to pictures',
  ]);

  command.workInBulk().handle(async (context, { args: [names = []], options }) => {
    const named = names.length > 0 || options.ids !== undefined;
    if ([named, options.folder !== undefined, options.all === true].filter(Boolean).length !== 1)
      throw usage(
        'Choose what to download: assets by name or --ids, --folder, or --all. Only one of them can be used.',
        'list assets with `cs assets list`',
      );
    const [{ saveFiles }, { startSpinner }] = await Promise.all([
      import('../files/save.ts'),
      import('../../terminal/spinner.ts'),
    ]);
    const client = await context.client();
    const selection = await selectAssets(context, client, {
      names: named ? names : undefined,
      ids: options.ids,
      folder: options.folder,
    });
    const paths = await pathsFor(client, selection);
    const files = selection.assets.map(({ id, sha256 }, index) => ({
      id,
      path: paths[index] as string,
      sha256,
      read: async () => (await client.assets.content(id)).body,
    }));
    const spinner = await startSpinner(
      context,
      `Downloading ${pluralize(files.length, 'asset', 'assets')}`,
    );
    const onSaved = (done: number) => spinner.text(`${done} of ${files.length}`);
    const saving = {
      files,
      folder: options.to,
      overwrite: options.overwrite,
      one: 'asset',
      many: 'assets',
      onSaved,
    };
    const { saved, failure } = await saveFiles(context, saving).finally(() => spinner.stop());
    const lines = saved.map(
      ({ file, status, error }) =>
        `${file}  ${status.replace('_', ' ')}${error ? `: ${error.message}` : ''}`,
    );
    await showOutcomes(context.output, { view: savedView, outcomes: saved, lines });
    if (saved.length === 0) context.note('No assets.');
    if (failure) throw failure;
  });
}

interface SelectionFlags {
  /** Undefined for a folder or all. */
  readonly names: readonly string[] | undefined;
  /** Value of --ids. */
  readonly ids?: string;
  readonly folder?: string;
}

async function selectAssets(
  context: Context,
  client: Client,
  { names, ids, folder }: SelectionFlags,
): Promise<Selection> {
  if (names) {
    const assets: Asset[] = [];
    for (const id of await idsGiven(context, { resource: 'assets', within: [], names, ids }))
      assets.push(await client.assets.get(id));
    return { assets, root: undefined };
  }
  const assets = await gather(client.assets.all());
  if (folder === undefined) return { assets, root: null };
  const root = await resolveId(context, { resource: 'assetFolders', text: folder });
  const { readFolders } = await import('./folders.ts');
  if (assets.some(({ folderId }) => folderId === undefined))
    throw new CliError({
      code: 'filter_ignored',
      message: "This server doesn't tell the folder of an asset. Nothing was downloaded.",
      hint: 'name the assets, or download --all',
    });
  const inside = (await readFolders(client)).subtree(root);
  return {
    assets: assets.filter(({ folderId }) => folderId !== null && inside.has(folderId)),
    root,
  };
}

/** Relative to --to. */
async function pathsFor(client: Client, { assets, root }: Selection): Promise<string[]> {
  const { assetPaths, readFolders } = await import('./folders.ts');
  return assetPaths(
    assets,
    root === undefined ? undefined : { tree: await readFolders(client), root },
  );
}
