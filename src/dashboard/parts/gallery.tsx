/** Photos: the newest large, all of them in strips by visit, one over the page, and two visits side by side. What is shown is part of the address. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type * as records from '../../contract/records.ts';
import type { CarVisit } from '../history.ts';
import { asked, go, withQuery } from '../router.ts';
import { plural } from '../times.ts';
import { Dialog } from './dialog.tsx';
import { Button, Select } from './form.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Empty } from './page.tsx';

interface Props {
  /** Of the car. */
  readonly title: string;
  readonly carId: string;
  /** Newest first. */
  readonly visits: readonly CarVisit[];
  /** Beside the newest photo. */
  readonly children: ComponentChildren;
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

export function Gallery({ title, carId, visits, children }: Props) {
  const shownIn = (visit: CarVisit) =>
    visit.photos.map(
      (photo, index): Shown => ({
        photo,
        text: `${title}, ${visit.title}, photo ${index + 1} of ${visit.photos.length}`,
      }),
    );
  const all = visits.flatMap(shownIn);
  const at = all.findIndex(({ photo }) => photo.id === asked('photo'));
  const newest = visits
    .map((visit) => shownIn(visit).findLast(({ photo }) => isShowable(photo)))
    .find(Boolean);
  return (
    <>
      <div class="card lead">
        {newest ? (
          <a class="newest" href={withQuery({ photo: newest.photo.id })}>
            <img
              src={smallHref(newest.photo.id, 1280)}
              alt={newest.text}
              width={1280}
              height={960}
            />
          </a>
        ) : (
          <Empty title={all.length > 0 ? 'HEIC photos are below' : 'No photos yet'}>
            {all.length === 0 && <p>Take them with a phone, or choose files.</p>}
          </Empty>
        )}
        {children}
      </div>
      {visits.length > 0 && (
        <section class="card strips" aria-label="Photos">
          {visits.map((visit) => (
            <div key={visit.id}>
              <h2>
                {visit.title}
                <span class="quiet"> {plural(visit.photos.length, 'photo')}</span>
              </h2>
              <ul class="photos">
                {shownIn(visit).map((shown) => (
                  <li key={shown.photo.id}>
                    <Tile shown={shown} carId={carId} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {visits.length > 1 && (
            <p>
              <a class="button" href={withQuery({ do: 'compare' })}>
                Compare two visits…
              </a>
            </p>
          )}
        </section>
      )}
      {at >= 0 && <Large all={all} at={at} carId={carId} />}
      {asked('do') === 'compare' && visits.length > 1 && <Compare visits={visits} />}
    </>
  );
}

const CloseButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button class="square last" aria-label="Close" data-first="" onClick={onClick}>
    <Icon name="close" />
  </Button>
);

/** The newest visit beside the one before, or two others. */
function Compare({ visits }: Pick<Props, 'visits'>) {
  const close = () =>
    go(withQuery({ do: undefined, left: undefined, right: undefined }), { replace: true });
  const sides = (['left', 'right'] as const).map((side, index) => {
    const visit = visits.find(({ id }) => id === asked(side)) ?? visits[1 - index];
    return { side, visit };
  });
  return (
    <Dialog title="Two visits side by side" onClose={close} class="large">
      <div class="actions">
        <CloseButton onClick={close} />
      </div>
      <div class="compare">
        {sides.map(({ side, visit }) => (
          <div key={side}>
            <Select
              label={side === 'left' ? 'Before' : 'After'}
              value={visit?.id ?? ''}
              options={visits.map(({ id, title }) => [id, title] as const)}
              onInput={(id) => go(withQuery({ [side]: id }), { replace: true })}
            />
            {visit?.photos.filter(isShowable).map(({ id }, index) => (
              <img
                key={id}
                src={smallHref(id, 1280)}
                alt={`${visit.title}, ${index + 1} of ${visit.photos.length}`}
                width={1280}
                height={960}
                loading="lazy"
              />
            ))}
          </div>
        ))}
      </div>
    </Dialog>
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
}) {
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
}) {
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
    <Button
      class="square"
      aria-label={label}
      aria-disabled={!all[at + by]}
      onClick={() => move(by)}
    >
      <Icon name={icon} />
    </Button>
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
          <CloseButton onClick={close} />
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
