/** What was done last, with its undo, which fades after ten seconds; and how far the photos are that were chosen. */
import { useEffect } from 'preact/hooks';
import { forgetPhotos, retryPhotos, type Upload, uploads } from '../photos.ts';
import { plural } from '../times.ts';
import { done, tellFailure } from '../work.ts';
import { Button, useAction } from './form.tsx';

const shownMs = 10_000;

export function DoneLine() {
  const shown = done.value;
  const undo = useAction(async () => {
    try {
      await shown?.undo?.();
    } catch (error) {
      tellFailure(error);
    }
  });
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => {
      if (done.value === shown) done.value = undefined;
    }, shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div class="done">
      <UploadLine />
      <div role="status">
        {shown && (
          <p class={shown.isFailure ? 'notice bad' : 'notice'}>
            {shown.text}{' '}
            {shown.undo && (
              <button class="link" type="button" onClick={undo.run} disabled={undo.isRunning}>
                Undo
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

/** They go on while other pages are read. */
function UploadLine() {
  const all = uploads.value;
  const of = (...states: Upload['state'][]) => all.filter(({ state }) => states.includes(state));
  const [sent, failed, left] = [of('sent'), of('failed'), of('waiting', 'sending')];
  const isOver = all.length > 0 && left.length === 0;
  useEffect(() => {
    if (!isOver || failed.length > 0) return undefined;
    const timer = setTimeout(forgetPhotos, shownMs / 2);
    return () => clearTimeout(timer);
  }, [isOver, failed.length]);
  // Closing the tab would lose them.
  useEffect(() => {
    if (all.length === sent.length) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [all.length === sent.length]);
  if (all.length === 0) return null;
  const titles = [...new Set(all.map(({ car }) => car.title))].join(', ');
  return (
    <div class={failed.length > 0 ? 'notice bad' : 'notice'}>
      <p>
        {titles}: {sent.length} of {plural(all.length, 'photo')} sent
      </p>
      <progress max={all.length} value={sent.length} aria-label="Photos sent" />
      {failed.length > 0 && (
        <>
          <ul>
            {failed.map(({ id, file, issue }) => (
              <li key={id}>
                {file.name}: {issue}
              </li>
            ))}
          </ul>
          <div class="actions">
            <Button onClick={retryPhotos}>Try again</Button>
            <Button onClick={() => forgetPhotos({ all: true })}>Leave them out</Button>
          </div>
        </>
      )}
    </div>
  );
}
