/** Where the bytes of photos and assets are. */
import { formatBytes } from '../../../contract/limits.ts';
import type { CopyResult } from '../../../service/files/copy.ts';
import { usage } from '../../errors/exit.ts';
import type { Command } from '../../framework/command.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize } from '../../terminal/text.ts';
import { addDataFlags, readDataSource, withExistingData } from '../data/data-folder.ts';
import { parseFilesPlace } from '../data/files-place.ts';
import { tellDamaged } from './damaged-files.ts';

export function addFiles(files: Command): void {
  files.description('The store with the bytes of photos and assets.');
  const copy = files
    .command('copy')
    .description(
      'Move photos and assets to an S3 store, or back to the data folder. Works while the service runs, and goes on where an interrupted run stopped.\nAt its end the store is the one of the data: restart services with its --files, or without. The files stay where they were, too.',
    );
  addDataFlags(copy)
    .requiredOption(
      '--to <place>',
      'the S3 store: s3://bucket/prefix, or `folder`: the data folder',
    )
    .handle(async (context, { options }) => {
      const { io, output } = context;
      const source = readDataSource(io, options);
      const { data } = source;
      const to = options.to === 'folder' ? undefined : parseFilesPlace(io, options.to, '--to');
      const [{ openStores, openFiles }, { copyFiles }, { requireOwnStore }] = await Promise.all([
        import('../../../service/stores.ts'),
        import('../../../service/files/copy.ts'),
        import('../../../service/files/ownership.ts'),
      ]);
      const spinner = await startSpinner(context, 'Starting');
      const result = await withExistingData(source, async () => {
        const stores = await openStores(source);
        try {
          // Where the database says: CS_FILES may name the new store already.
          const { place } = await stores.database.read
            .selectFrom('fileFolder')
            .select('place')
            .executeTakeFirstOrThrow();
          const from = place === null ? undefined : parseFilesPlace(io, place, place);
          const files = await openFiles({ data, files: from });
          const target = await openFiles({ data, files: to });
          if (files.place === target.place)
            throw usage(
              `The files are in ${target.place} already.`,
              'name another store with --to',
            );
          await requireOwnStore(stores.database, files, { claim: false });
          return await copyFiles({ ...stores, files }, target, {
            signal: io.signal,
            onProgress: ({ files, of }) => spinner.text(`Copying: ${files} of ${of} files`),
          });
        } finally {
          await stores.database.close();
        }
      }).finally(() => spinner.stop());
      recordWrite(io, { did: `files moved to ${result.place}` });
      await output.value(result, describe(result));
      context.note(`Next: cs serve ${to ? `--files ${result.place}` : 'without --files'}`);
      return tellDamaged(context, result);
    });
  copy.examples([
    'CS_FILES_ENDPOINT=https://s3.example.com cs admin files copy --to s3://garage/photos',
    'cs admin files copy --data /srv/cars --to s3://garage/photos',
  ]);
  files.examples([
    'cs admin files copy --to s3://garage/photos',
    'cs admin files copy --to folder',
  ]);
}

const describe = ({ place, copied, kept, sizeBytes }: CopyResult): string =>
  `files moved to ${place}: ${pluralize(copied, 'file', 'files')} copied, ${formatBytes(sizeBytes)}; ${kept} were there already`;
