/** Photos as tiles, and one of them large over the page. Which one is part of the address. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import { go, query, withQuery } from '../router.ts';
import { plural } from '../times.ts';
import { Dialog } from './dialog.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Empty } from './page.tsx';

export interface Visited {
  readonly title: string;
  readonly at: string | null;
  readonly photos: readonly records.Photo[];
}

interface Props {
  /** Of the car. */
  readonly title: string;
  readonly carId: string;
  readonly visits: readonly Visited[];
}

interface Shown {
  readonly photo: records.Photo;
  /** `HH-RS 73, 22 Nov 2026 Drop-off, photo 3 of 12`. */
  readonly text: string;
}

export const smallHref = (id: string, width: 320 | 1280): string =>
  `/dashboard/photos/${id}?width=${width}`;
/** Neither the service nor most browsers decode it. */
const isShowable = ({ contentType }: records.Photo) =>
  contentType !== 'image/heic' && contentType !== 'image/heif';

export function Gallery({ title, carId, visits }: Props): VNode {
  const all = visits.flatMap((visit) =>
    visit.photos.map(
      (photo, index): Shown => ({
        photo,
        text: `${title}, ${visit.title}, photo ${index + 1} of ${visit.photos.length}`,
      }),
    ),
  );
  const at = all.findIndex(({ photo }) => photo.id === query.value.get('photo'));
  if (all.length === 0)
    return (
      <Empty title="No photos yet">
        <p>
          Add them below, or with <code>cs dropoff --photo</code> or <code>--phone</code>.
        </p>
      </Empty>
    );
  return (
    <div class="stack">
      {visits.map((visit) => (
        <section key={visit.title + visit.at} class="card">
          <h2>
            {visit.title}
            <span class="quiet"> {plural(visit.photos.length, 'photo')}</span>
          </h2>
          <ul class="photos">
            {visit.photos.map((photo) => (
              <li key={photo.id}>
                <Tile shown={all.find((one) => one.photo === photo) as Shown} carId={carId} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {at >= 0 && <Large all={all} at={at} carId={carId} />}
    </div>
  );
}

const originalHref = (carId: string, photo: records.Photo) =>
  `/dashboard/api/v1/cars/${carId}/photos/${photo.id}/content`;

function Tile({
  shown: { photo, text },
  carId,
}: {
  readonly shown: Shown;
  readonly carId: string;
}): VNode {
  if (!isShowable(photo))
    return (
      <a class="no-picture" href={originalHref(carId, photo)} download={photo.filename ?? ''}>
        HEIC: open the original
      </a>
    );
  return (
    <a href={withQuery({ photo: photo.id })}>
      <img src={smallHref(photo.id, 320)} alt={text} loading="lazy" width={320} height={240} />
    </a>
  );
}

function Large({
  all,
  at,
  carId,
}: {
  readonly all: readonly Shown[];
  readonly at: number;
  readonly carId: string;
}): VNode {
  const { photo, text } = all[at] as Shown;
  const start = useRef(0);
  const close = () => go(withQuery({ photo: undefined }), { replace: true });
  const move = (by: number) => {
    const next = all[at + by];
    if (next) go(withQuery({ photo: next.photo.id }), { replace: true });
  };
  // Wherever the focus is: a click on the picture leaves it nowhere.
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLInputElement) return;
      if (key === 'ArrowRight') move(1);
      if (key === 'ArrowLeft') move(-1);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [at, all]);
  // Not disabled: a disabled button loses the focus.
  const step = (label: string, icon: IconName, by: number) => (
    <button
      class="button square"
      type="button"
      aria-label={label}
      aria-disabled={!all[at + by]}
      onClick={() => move(by)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <Dialog title={text} onClose={close} class="large">
      <div
        class="picture"
        // Swipes.
        onTouchStart={(event) => {
          start.current = event.changedTouches[0]?.clientX ?? 0;
        }}
        onTouchEnd={(event) => {
          const moved = (event.changedTouches[0]?.clientX ?? 0) - start.current;
          if (Math.abs(moved) > 50) move(moved < 0 ? 1 : -1);
        }}
      >
        <div class="actions">
          {step('Previous photo', 'back', -1)}
          {step('Next photo', 'next', 1)}
          <a class="button" href={originalHref(carId, photo)} download={photo.filename ?? ''}>
            Download
          </a>
          <button
            class="button square last"
            type="button"
            aria-label="Close"
            data-first=""
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </div>
        {isShowable(photo) ? (
          <img
            key={photo.id}
            src={smallHref(photo.id, 1280)}
            alt={text}
            {...(photo.width && photo.height ? { width: photo.width, height: photo.height } : {})}
          />
        ) : (
          <p>HEIC: download the original to see it.</p>
        )}
      </div>
    </Dialog>
  );
}
