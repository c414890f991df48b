import { resultView } from '../../output/view.ts';

/** The result of a download, for each file. */
export const savedView = resultView('file', ['id', 'file', 'status', 'error']);

/** The result of an upload of assets, for each file. */
export const uploadView = resultView('file', [
  'file',
  'filename',
  'folder',
  'status',
  'assetId',
  'sizeBytes',
  'error',
]);
