import { Argument, type Command, Option } from 'commander';
import type { Client, RecordFor } from '../../../client/client.ts';
import { type Context, examples, type On, performs } from '../../command.ts';
import { usage } from '../../exit.ts';
import { resolveId, resolveRecord } from '../../names/names.ts';
import { gather } from '../../resources/methods.ts';
import { counted, sanitize } from '../../text.ts';
import { namesRecords } from '../../tree/manifest.ts';

type Asset = RecordFor<'assets'>;

interface Chosen {
  readonly assets: readonly Asset[];
  /** The folder whose files lie directly in --to; null for the top, undefined where folders do not count. */
  readonly root: string | null | undefined;
}

export function addDownload(command: Command, on: On): void {
  performs(command, 'assets.content')
    .summary('Save assets as files')
    .description(
      'Save assets as files: those that are named, those of a folder with all below it, or all. Folders become folders. What is there with the same bytes is not fetched again, and nothing is overwritten, unless --overwrite is given.',
    )
    .addArgument(namesRecords(new Argument('[asset...]', 'ids of assets, or their file names'), 'assets'))
    .addOption(namesRecords(new Option('--folder <id|name>', 'the assets of this folder, and of those below it'), 'assetFolders'))
    .option('--all', 'every asset')
    .option('--to <folder>', 'where to save them; made when it is not there', '.')
    .option('--overwrite', 'replace files that are there');
  examples(command, [
    'cs assets download hall.png --to pictures',
    'cs assets download --folder Summer --to pictures',
    'cs assets download --all --to pictures',
  ]);

  command.action(
    on(async (context, { args: [names = []], options }) => {
      if ([names.length > 0, options.folder !== undefined, options.all === true].filter(Boolean).length !== 1)
        throw usage(
          'Say what to download: assets by name, --folder, or --all, and only one of them.',
          '`cs assets list` shows what there is',
        );
      const [{ saveFiles }, { startSpinner }] = await Promise.all([import('../../downloads/save.ts'), import('../../spinner.ts')]);
      const client = await context.client();
      const chosen = await choose(context, client, { names, folder: options.folder });
      const paths = await pathsFor(client, chosen);
      const files = chosen.assets.map(({ id, sha256 }, index) => ({
        id,
        path: paths[index] as string,
        sha256,
        read: async () => (await client.assets.content(id)).body,
      }));
      const spinner = await startSpinner(context, `Fetching ${counted(files.length, 'asset', 'assets')}`);
      const onSaved = (done: number) => spinner.text(`${done} of ${files.length}`);
      const saving = { files, folder: options.to, overwrite: options.overwrite, one: 'asset', many: 'assets', onSaved };
      const { saved, failure } = await saveFiles(context, saving).finally(() => spinner.stop());
      const lines = saved.map(
        ({ file, status, error }) => `${sanitize(file)}  ${status.replace('_', ' ')}${error ? `: ${sanitize(error.message)}` : ''}`,
      );
      await context.output.value(saved, lines.join('\n'));
      if (saved.length === 0) context.note('No assets.');
      if (failure) throw failure;
    }),
  );
}

async function choose(context: Context, client: Client, { names, folder }: { names: readonly string[]; folder?: string }): Promise<Chosen> {
  if (names.length > 0) {
    const found = new Map<string, Asset>();
    for (const text of names) {
      const asset = (await resolveRecord(context, { resource: 'assets', text })) as Asset;
      found.set(asset.id, asset);
    }
    return { assets: [...found.values()], root: undefined };
  }
  const assets = await gather(client.assets.all());
  if (folder === undefined) return { assets, root: null };
  const root = await resolveId(context, { resource: 'assetFolders', text: folder });
  const { readFolders } = await import('../../assets/folders.ts');
  const inside = (await readFolders(client)).below(root);
  return { assets: assets.filter(({ folderId }) => folderId !== null && inside.has(folderId)), root };
}

/** Where each goes, below --to. */
async function pathsFor(client: Client, { assets, root }: Chosen): Promise<string[]> {
  const [{ readFolders }, { assetPaths }] = await Promise.all([import('../../assets/folders.ts'), import('../../assets/paths.ts')]);
  return assetPaths(assets, root === undefined ? undefined : { tree: await readFolders(client), root });
}
