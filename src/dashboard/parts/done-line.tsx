/** What was done last, with its undo. It fades after ten seconds. */
import { useEffect } from 'preact/hooks';
import { done, tellFailure } from '../work.ts';
import { useAction } from './form.tsx';
import { UploadLine } from './upload-line.tsx';

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
