import { type Command, Option, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags, collect } from '../../framework/flags.ts';
import { uploadView } from '../files/view.ts';

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
    const { uploadAssets } = await import('./send.ts');
    return uploadAssets(context, paths, options);
  });
}
