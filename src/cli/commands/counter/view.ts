import { resultView, type View } from '../../output/view.ts';

/** What a drop-off and a pick-up answer. */
export const eventResultView = (what: string): View =>
  resultView(what, ['car', 'event', 'spot', 'zone', 'photos', 'sessionId', 'replayed']);
