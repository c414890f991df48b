import type { Client, RecordFor } from '../../../client/client.ts';
import { gather } from '../../crud/methods.ts';
import { idsGiven } from '../../crud/several.ts';
import { usage } from '../../errors/exit.ts';
import { Argument, type Command, Option, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addIdsFlag } from '../../framework/flags.ts';
import { resolveId } from '../../lookup/lookup.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { pluralize } from '../../terminal/text.ts';
import { savedView } from '../files/view.ts';

type Asset = RecordFor<'assets'>;

interface Chosen {
  readonly assets: readonly Asset[];
  /** The folder whose files lie directly in --to; null for the top, undefined where folders do not count. */
  readonly root: string | null | undefined;
}

export function addDownload(command: Command): void {
  command
    .implementsOperation('assets.content')
    .declareOutput(savedView)
    .summary('Save assets as files')
    .description(
      'Save assets as files: those that are named, those of a folder with all below it, or all. Folders become folders. What is there with the same bytes is not fetched again, and nothing is overwritten, unless --overwrite is given.',
    )
    .addArgument(suggestRecords(new Argument('[asset...]', 'ids of assets, or their file names'), 'assets'))
    .addOption(suggestRecords(new Option('--folder <id|name>', 'the assets of this folder, and of those below it'), 'assetFolders'))
    .option('--all', 'every asset');
  addIdsFlag(command)
    .option('--to <folder>', 'where to save them; made when it is not there', '.')
    .option('--overwrite', 'replace files that are there');
  command.examples([
    'cs assets download hall.png --to pictures',
    'cs assets download --folder Summer --to pictures',
    'cs assets list --q hall -o id | cs assets download --ids - --to pictures',
    'cs assets download --all --to pictures',
  ]);

  command.handle(async (context, { args: [names = []], options }) => {
    const named = names.length > 0 || options.ids !== undefined;
    if ([named, options.folder !== undefined, options.all === true].filter(Boolean).length !== 1)
      throw usage(
        'Say what to download: assets by name or --ids, --folder, or --all, and only one of them.',
        '`cs assets list` shows them',
      );
    const [{ saveFiles }, { startSpinner }] = await Promise.all([import('../files/save.ts'), import('../../terminal/spinner.ts')]);
    const client = await context.client();
    const chosen = await choose(context, client, { names: named ? names : undefined, ids: options.ids, folder: options.folder });
    const paths = await pathsFor(client, chosen);
    const files = chosen.assets.map(({ id, sha256 }, index) => ({
      id,
      path: paths[index] as string,
      sha256,
      read: async () => (await client.assets.content(id)).body,
    }));
    const spinner = await startSpinner(context, `Fetching ${pluralize(files.length, 'asset', 'assets')}`);
    const onSaved = (done: number) => spinner.text(`${done} of ${files.length}`);
    const saving = { files, folder: options.to, overwrite: options.overwrite, one: 'asset', many: 'assets', onSaved };
    const { saved, failure } = await saveFiles(context, saving).finally(() => spinner.stop());
    const lines = saved.map(({ file, status, error }) => `${file}  ${status.replace('_', ' ')}${error ? `: ${error.message}` : ''}`);
    await showOutcomes(context.output, { view: savedView, outcomes: saved, lines });
    if (saved.length === 0) context.note('No assets.');
    if (failure) throw failure;
  });
}

interface Wanted {
  /** Of single assets; undefined where a folder or all is meant. */
  readonly names: readonly string[] | undefined;
  /** --ids as given. */
  readonly ids?: string;
  readonly folder?: string;
}

async function choose(context: Context, client: Client, { names, ids, folder }: Wanted): Promise<Chosen> {
  if (names) {
    const assets: Asset[] = [];
    for (const id of await idsGiven(context, { resource: 'assets', within: [], names, ids })) assets.push(await client.assets.get(id));
    return { assets, root: undefined };
  }
  const assets = await gather(client.assets.all());
  if (folder === undefined) return { assets, root: null };
  const root = await resolveId(context, { resource: 'assetFolders', text: folder });
  const { readFolders } = await import('./folders.ts');
  const inside = (await readFolders(client)).below(root);
  return { assets: assets.filter(({ folderId }) => folderId !== null && inside.has(folderId)), root };
}

/** Where each goes, below --to. */
async function pathsFor(client: Client, { assets, root }: Chosen): Promise<string[]> {
  const [{ readFolders }, { assetPaths }] = await Promise.all([import('./folders.ts'), import('./paths.ts')]);
  return assetPaths(assets, root === undefined ? undefined : { tree: await readFolders(client), root });
}
