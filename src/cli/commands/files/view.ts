import { resultView } from '../../output/view.ts';

/** What became of each file that was to be saved, as `SavedFile` has it. */
export const savedView = resultView('file', ['id', 'file', 'status', 'error']);
