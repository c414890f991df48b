/** Photos as files: chosen, taken with a phone, or dropped. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { fileFor, missingPhotos } from '../../facility/photo-checklist.ts';
import { plural } from '../times.ts';

interface Props {
  readonly label: string;
  readonly about?: string;
  /** Another way to add photos. */
  readonly beside?: ComponentChildren;
  readonly onFiles: (files: File[]) => void;
}

export function PhotoField({ label, about, beside, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the button does
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        onFiles(files);
      }}
    >
      <FileButton label={label} onFiles={onFiles} />
      {beside}
      <p class="about">{about ?? 'Or drop them here. Where they were taken is left out.'}</p>
    </div>
  );
}

function FileButton({ label, onFiles }: Pick<Props, 'label' | 'onFiles'>) {
  const id = useId();
  return (
    <>
      <label class="button" for={id}>
        {label}
      </label>
      <input
        class="hidden"
        id={id}
        type="file"
        multiple
        accept="image/*"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same file can be chosen again.
          event.currentTarget.value = '';
          onFiles(files);
        }}
      />
    </>
  );
}

interface ChosenProps {
  /** The photos that there should be. */
  readonly checklist: readonly string[];
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Photos that go with a form. */
export const ChosenPhotos = ({ checklist, files, onChange }: ChosenProps) => (
  <div class="field">
    <PhotoField
      label="Add photos"
      onFiles={(more) => onChange([...files, ...more])}
      beside={missingPhotos(
        checklist,
        files.map(({ name }) => name),
      ).map((name) => (
        <FileButton
          key={name}
          label={name}
          onFiles={(some) =>
            onChange([
              ...files,
              ...some.map((file) => new File([file], fileFor(name, file.name), file)),
            ])
          }
        />
      ))}
    />
    {files.length > 0 && (
      <ul class="photos small" aria-label={plural(files.length, 'photo')}>
        {files.map((file) => (
          <li key={`${file.name} ${file.lastModified} ${file.size}`}>
            <Preview file={file} />
            <button
              class="link"
              type="button"
              aria-label={`Leave out ${file.name}`}
              onClick={() => onChange(files.filter((one) => one !== file))}
            >
              Leave out
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
);

function Preview({ file }: { readonly file: File }) {
  const [isBroken, setBroken] = useState(false);
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return isBroken ? (
    <span class="no-picture">{file.name}</span>
  ) : (
    <img src={url} alt={file.name} width={96} height={72} onError={() => setBroken(true)} />
  );
}
