import { resultView } from '../../output/view.ts';

/** The result of a download, a `SavedFile` for each file. */
export const savedView = resultView('file', ['id', 'file', 'status', 'error']);
