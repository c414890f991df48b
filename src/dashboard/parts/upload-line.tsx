/** How far the photos are that were chosen. They go on while other pages are read. */
import { useEffect } from 'preact/hooks';
import { forgetPhotos, retryPhotos, type Upload, uploads } from '../photos.ts';
import { plural } from '../times.ts';
import { Button } from './form.tsx';

const shownMs = 5_000;

export function UploadLine() {
  const all = uploads.value;
  const of = (...states: Upload['state'][]) => all.filter(({ state }) => states.includes(state));
  const [sent, failed, left] = [of('sent'), of('failed'), of('waiting', 'sending')];
  const isOver = all.length > 0 && left.length === 0;
  useEffect(() => {
    if (!isOver || failed.length > 0) return undefined;
    const timer = setTimeout(forgetPhotos, shownMs);
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
