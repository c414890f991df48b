import type { RecordFor } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { Argument, type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addIdsFlag } from '../../framework/flags.ts';
import { idsGiven } from '../../resources/batch.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { savedView } from '../files/view.ts';
import { readFolders } from './folders.ts';

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
    const [{ saveFiles }, { distinctNames }] = await Promise.all([
      import('../files/save.ts'),
      import('../files/names.ts'),
    ]);
    const { assets } = await context.client();
    const chosen: Chosen[] = [];
    if (named)
      for (const id of await idsGiven(context, {
        resource: 'assets',
        within: [],
        names,
        ids: options.ids,
      }))
        chosen.push({ asset: await assets.get(id), folders: [] });
    else chosen.push(...(await chooseByFolder(context, options.folder)));
    const paths = distinctNames(
      chosen.map(({ asset: { id, filename: name }, folders }) => ({ id, name, folders })),
      'asset',
    );
    const files = chosen.map(({ asset: { id, sha256 } }, index) => ({
      id,
      path: paths[index] as string,
      sha256,
      read: async () => (await assets.content(id)).body,
    }));
    const { to: folder, overwrite } = options;
    await saveFiles(context, { files, folder, overwrite, one: 'asset', many: 'assets' });
  });
}

interface Chosen {
  readonly asset: RecordFor<'assets'>;
  /** The names of its folders below --folder, or below the top. */
  readonly folders: readonly string[];
}

async function chooseByFolder(context: Context, folder: string | undefined): Promise<Chosen[]> {
  const client = await context.client();
  const [assets, tree] = [await gather(client.assets.all()), await readFolders(client)];
  const root =
    folder === undefined
      ? null
      : await resolveId(context, { resource: 'assetFolders', text: folder });
  if (root !== null && assets.some(({ folderId }) => folderId === undefined))
    throw new CliError({
      code: 'filter_ignored',
      message: "This server doesn't tell the folder of an asset. Nothing was downloaded.",
      hint: 'name the assets, or download --all',
    });
  const inside = root === null ? undefined : tree.subtree(root);
  const depth = tree.pathOf(root).length;
  return assets
    .filter(({ folderId }) => !inside || (folderId !== null && inside.has(folderId)))
    .map((asset) => ({ asset, folders: tree.pathOf(asset.folderId ?? null).slice(depth) }));
}
