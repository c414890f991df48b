/**
 * What the counter knows of its code, the phone that uses it, and the photos that arrived. Knows
 * nothing of HTTP.
 */
import { createHash } from 'node:crypto';
import { missingPhotos } from '../../facility/photo-checklist.ts';
import {
  type Hello,
  type PhotoFacts,
  photoLimits,
  type Settled,
  tooLarge,
  type Welcome,
} from '../../phone/protocol.ts';
import { newSecret, sealWith } from './seal.ts';

/** The first one that shows the secret: the code is its own. */
export interface Phone {
  readonly id: string;
  /** `iPhone` */
  readonly device: string;
  readonly address: string;
}

/** A photo on the disk of this machine. */
export interface ArrivedPhoto<P> {
  readonly name: string;
  readonly sizeBytes: number;
  /** What changes before the upload: `location removed`. */
  readonly note: string;
  readonly photo: P;
}

/** Keeps a photo, or says why it can't be used. Resolves once the photo is on the disk. */
export type KeepPhoto<P> = (
  name: string,
  bytes: Buffer,
) => Promise<ArrivedPhoto<P> | { readonly refused: string; readonly again?: boolean }>;

/** A line of the list on the screen. */
export type ListedPhoto<P> =
  | ({ readonly kind: 'arrived' } & ArrivedPhoto<P>)
  | { readonly kind: 'refused'; readonly name: string; readonly message: string };

interface ReceptionOptions<P> {
  readonly title: string;
  /** The photos that there should be. */
  readonly checklist?: readonly string[] | undefined;
  /** Photos that are there already. */
  readonly earlier?: readonly ArrivedPhoto<P>[] | undefined;
  readonly keep: KeepPhoto<P>;
  readonly drop: (photo: P) => Promise<void>;
  readonly onChange: () => void;
}

export type Reception<P> = ReturnType<typeof createReception<P>>;

export function createReception<P>({
  title,
  checklist = [],
  earlier = [],
  keep,
  drop,
  onChange,
}: ReceptionOptions<P>) {
  const secret = newSecret();
  const listed: ListedPhoto<P>[] = earlier.map((photo) => ({ kind: 'arrived', ...photo }));
  /** By the hash of the bytes. */
  const known = new Map<string, { readonly id: string; readonly photo: P }>();
  const state = {
    phone: undefined as Phone | undefined,
    /** In bytes. One photo at a time is received. */
    arriving: undefined as (PhotoFacts & { readonly received: number }) | undefined,
    /** Messages that this code didn't seal. */
    failures: 0,
  };
  const arrived = () => listed.filter((photo) => photo.kind === 'arrived');
  const names = () => arrived().map(({ name }) => name);
  const totalBytes = () => arrived().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  function refuse(name: string, message: string, again?: boolean): Settled {
    listed.push({ kind: 'refused', name, message });
    return { status: 'refused', message, again };
  }

  return {
    secret,
    seal: sealWith(secret),
    state: state as Readonly<typeof state>,
    listed: listed as readonly ListedPhoto<P>[],
    totalBytes,
    missing: () => missingPhotos(checklist, names()),
    photos: (): P[] => arrived().map(({ photo }) => photo),
    fail(): void {
      state.failures += 1;
      onChange();
    },

    /** Undefined for another phone than the first. */
    greet({ phone: id, device }: Hello, address: string): Welcome | undefined {
      state.phone ??= { id, device: device.slice(0, 40), address };
      onChange();
      return state.phone.id === id ? { title, checklist, received: names() } : undefined;
    },

    /** Refuses a photo before its bytes are read. */
    refusal({ name, size }: PhotoFacts): Settled | undefined {
      const { photos, totalBytes: most } = photoLimits;
      const [message, again] =
        size > photoLimits.bytes
          ? [tooLarge, false]
          : arrived().length >= photos
            ? [`Not sent: ${photos} photos are the most at once`, true]
            : totalBytes() + size > most
              ? [`Not sent: ${most / 1e6} MB are the most at once`, true]
              : [];
      if (message === undefined) return undefined;
      const refused = refuse(name, message, again);
      onChange();
      return refused;
    },

    /** Undefined at the end. */
    progress(arriving: typeof state.arriving): void {
      state.arriving = arriving;
      onChange();
    },

    /** Keeps a photo whose bytes are here. The same bytes twice are one photo. */
    async take({ id, name }: PhotoFacts, bytes: Buffer): Promise<Settled> {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const same = known.get(sha256);
      if (same) return { status: same.id === id ? 'received' : 'copy' };
      const kept = await keep(name, bytes);
      if ('refused' in kept) return refuse(name, kept.refused, kept.again);
      listed.push({ kind: 'arrived', ...kept });
      known.set(sha256, { id, photo: kept.photo });
      return { status: 'received' };
    },

    /** Leaves out the last photo. False without one. */
    async dropLast(): Promise<boolean> {
      const at = listed.findLastIndex(({ kind }) => kind === 'arrived');
      const last = listed[at];
      if (last?.kind !== 'arrived') return false;
      listed.splice(at, 1);
      for (const [sha256, { photo }] of known) if (photo === last.photo) known.delete(sha256);
      onChange();
      await drop(last.photo);
      return true;
    },
  };
}
