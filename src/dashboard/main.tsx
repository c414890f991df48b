/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './router.ts';

startRouter();
const root = document.getElementById('app') as HTMLElement;
// What a browser without scripts shows.
root.replaceChildren();
render(<App />, root);
// A page that the browser kept for Back may be older than a sign-out in another tab.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  render(null, root);
  location.reload();
});
