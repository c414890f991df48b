/** Photos on their way to a car: made smaller here, which leaves out where they were taken, and sent one after the other. */
import { signal } from '@preact/signals';
import { photoLimit } from '../contract/limits.ts';
import { CallError, call, newIdempotencyKey } from './call.ts';

export interface Upload {
  readonly id: string;
  readonly car: { readonly id: string; readonly title: string };
  readonly sessionId: string | null;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed';
  /** Why it failed. */
  readonly issue?: string;
}

export const uploads = signal<readonly Upload[]>([]);

/** Pixels of the longer side: a dent is still to be seen. */
const sides = [2560, 1600] as const;
const quality = 0.85;

export function sendPhotos(
  car: Upload['car'],
  sessionId: string | null,
  files: readonly File[],
): void {
  uploads.value = [
    ...uploads.value,
    ...files.map(
      (file): Upload => ({ id: newIdempotencyKey(), car, sessionId, file, state: 'waiting' }),
    ),
  ];
  void sendAll();
}

export function retryPhotos(): void {
  uploads.value = uploads.value.map((one) =>
    one.state === 'failed' ? { ...one, state: 'waiting' } : one,
  );
  void sendAll();
}

/** Those that are sent, and with `all` those that failed as well. */
export function forgetPhotos({ all = false } = {}): void {
  uploads.value = uploads.value.filter(
    ({ state }) => state !== 'sent' && !(all && state === 'failed'),
  );
}

const change = (id: string, changes: Partial<Upload>) => {
  uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...changes } : one));
};

let isSending = false;

async function sendAll(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (;;) {
    const next = uploads.value.find(({ state }) => state === 'waiting');
    if (!next) break;
    change(next.id, { state: 'sending' });
    try {
      await send(next);
      change(next.id, { state: 'sent' });
    } catch (error) {
      const waitMs = error instanceof CallError ? error.retryAfterMs : 0;
      if (waitMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        change(next.id, { state: 'waiting' });
      } else change(next.id, { state: 'failed', issue: (error as Error).message });
    }
  }
  isSending = false;
}

async function send({ id, car, sessionId, file }: Upload): Promise<void> {
  const base64 = await textOf(await smaller(file));
  const filename = file.name.replace(/\.\w+$/, '.jpg');
  await call('POST', `api/v1/cars/${car.id}/photos`, {
    body: { base64, filename, ...(sessionId !== null && { sessionId }) },
    idempotencyKey: id,
  });
}

/** Drawn anew, as a JPEG without what a camera notes. */
async function smaller(file: File): Promise<Blob> {
  const unreadable = () =>
    new Error(
      /heic|heif/.test(`${file.type} ${file.name.toLowerCase()}`)
        ? "This browser can't read HEIC. Choose it on an iPhone, or save it as JPEG."
        : 'This is no photo that the browser can read.',
    );
  const bitmap = await createImageBitmap(file).catch(() => {
    throw unreadable();
  });
  try {
    for (const side of sides) {
      const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.round(bitmap.width * scale));
      canvas.height = Math.max(1, Math.round(bitmap.height * scale));
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const made = await new Promise<Blob | null>((resolve) =>
        canvas.toBlob(resolve, 'image/jpeg', quality),
      );
      if (made && made.size <= photoLimit) return made;
    }
    throw new Error("The photo can't be made small enough.");
  } finally {
    bitmap.close();
  }
}

const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
