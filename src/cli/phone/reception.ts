/** What the counter knows of its code, the phone that uses it, and the photos that arrived. Knows nothing of HTTP. */
import { createHash } from 'node:crypto';
import type { CounterState, End, Hello, PhotoFacts, Settled } from '../../phone/protocol.ts';
import { photoLimits } from '../../phone/protocol.ts';
import { type CounterSeal, newSecret, sealWith } from './seal.ts';

/** A secret that one phone may use: the first that comes. */
export interface Code {
  readonly secret: string;
  readonly seal: CounterSeal;
  phone?: Phone;
}

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

export interface ArrivingPhoto {
  readonly name: string;
  readonly sizeBytes: number;
  received: number;
}

/** A line of the list on the screen. */
export type ListedPhoto<P> =
  | ({ readonly kind: 'arrived' } & ArrivedPhoto<P>)
  | { readonly kind: 'refused'; readonly name: string; readonly message: string };

interface ReceptionOptions<P> {
  readonly title: string;
  /** Photos that are there already. */
  readonly earlier?: readonly ArrivedPhoto<P>[] | undefined;
  readonly keep: KeepPhoto<P>;
  readonly drop: (photo: P) => Promise<void>;
  /** In milliseconds. */
  readonly now: () => number;
  readonly onChange: () => void;
}

export type Reception<P> = ReturnType<typeof createReception<P>>;

const minute = 60_000;
const idleLimit = 15 * minute;
const totalLimit = 60 * minute;

export function createReception<P>({
  title,
  earlier = [],
  keep,
  drop,
  now,
  onChange,
}: ReceptionOptions<P>) {
  let code = freshCode();
  const listed: ListedPhoto<P>[] = earlier.map((photo) => ({ kind: 'arrived', ...photo }));
  const arriving = new Set<ArrivingPhoto>();
  /** By phone, then by number. */
  const settled = new Map<string, Map<number, Settled>>();
  /** Where the bytes of a kept photo came from, by their hash, to tell the phones when it is dropped. The first is the photo, others its copies. */
  const origins = new Map<
    string,
    { readonly photo: P; readonly from: Pick<PhotoFacts, 'phone' | 'n'>[] }
  >();
  let started = now();
  let lastRequest = started;
  let version = 1;
  let end: End | null = null;
  let changed = Promise.withResolvers<void>();

  const arrived = () => listed.filter((photo) => photo.kind === 'arrived');
  const totalBytes = () => arrived().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const settledOf = (phone: string): Map<number, Settled> => {
    const known = settled.get(phone) ?? new Map<number, Settled>();
    settled.set(phone, known);
    return known;
  };

  function change(): void {
    version += 1;
    changed.resolve();
    changed = Promise.withResolvers();
    onChange();
  }

  /** Takes the place of the code before, whose phone can send nothing more. What arrived stays. */
  function newCode(): void {
    code = freshCode();
    change();
  }

  return {
    title,
    code: () => code,
    newCode,
    listed: listed as readonly ListedPhoto<P>[],
    arriving: arriving as ReadonlySet<ArrivingPhoto>,
    totalBytes,
    photos: (): P[] => arrived().map(({ photo }) => photo),
    end: () => end,
    /** Resolves at the next change. */
    changed: () => changed.promise,
    /** The phone was heard. */
    touch: () => {
      lastRequest = now();
    },
    /** Whether the life of the code is over. */
    isExpired: () => now() - lastRequest > idleLimit || now() - started > totalLimit,

    /** The code belongs to its first phone. False for another one. */
    greet({ phone, device }: Hello, address: string): boolean {
      if (code.phone) return code.phone.id === phone;
      code.phone = { id: phone, device, address };
      change();
      return true;
    },

    state: (phone: string): CounterState => ({
      ...{ version, title, end },
      photos: Object.fromEntries(settledOf(phone)),
      there: arrived().length,
    }),

    settled: (phone: string, n: number): Settled | undefined => settledOf(phone).get(n),

    /** What keeps a photo from being received, before its bytes are read. */
    refusal({ size }: Pick<PhotoFacts, 'size'>): string | undefined {
      if (size > photoLimits.bytes) return `Larger than ${photoLimits.bytes / 1e6} MB`;
      if (arrived().length >= photoLimits.photos)
        return `Not sent: ${photoLimits.photos} photos are the most at once`;
      if (totalBytes() + size > photoLimits.totalBytes)
        return `Not sent: ${photoLimits.totalBytes / 1e6} MB are the most at once`;
      return undefined;
    },

    /** Lists a photo as refused and tells its phone. */
    refuse({ phone, n, name }: PhotoFacts, message: string, again = false): Settled {
      const result: Settled = { status: 'refused', message, again };
      settledOf(phone).set(n, result);
      listed.push({ kind: 'refused', name, message });
      change();
      return result;
    },

    /** A photo begins to arrive. Returns what notes its progress, and its end. */
    begin({ name, size }: PhotoFacts) {
      const photo: ArrivingPhoto = { name, sizeBytes: size, received: 0 };
      arriving.add(photo);
      change();
      return {
        progress(received: number): void {
          photo.received = received;
          onChange();
        },
        over(): void {
          arriving.delete(photo);
          change();
        },
      };
    },

    /** Keeps a photo whose bytes are here. The same bytes twice are one photo. */
    async take(facts: PhotoFacts, bytes: Buffer): Promise<Settled> {
      const { phone, n, name } = facts;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const known = origins.get(sha256);
      if (known) known.from.push({ phone, n });
      else {
        const kept = await keep(name, bytes);
        if ('refused' in kept) return this.refuse(facts, kept.refused, kept.again);
        listed.push({ kind: 'arrived', ...kept });
        origins.set(sha256, { photo: kept.photo, from: [{ phone, n }] });
      }
      const result: Settled = { status: known ? 'copy' : 'there' };
      settledOf(phone).set(n, result);
      change();
      return result;
    },

    /** Leaves out the last photo. False without one. */
    async dropLast(): Promise<boolean> {
      const at = listed.findLastIndex(({ kind }) => kind === 'arrived');
      const last = listed[at];
      if (last?.kind !== 'arrived') return false;
      listed.splice(at, 1);
      for (const [sha256, { photo, from }] of origins) {
        if (photo !== last.photo) continue;
        origins.delete(sha256);
        for (const { phone, n } of from) settledOf(phone).set(n, { status: 'dropped' });
      }
      change();
      await drop(last.photo);
      return true;
    },

    finish(how: End): void {
      end ??= how;
      change();
    },

    /** Goes on after the life of the code was over. */
    reopen(): void {
      end = null;
      started = lastRequest = now();
      newCode();
    },
  };
}

function freshCode(): Code {
  const secret = newSecret();
  return { secret, seal: sealWith(secret) };
}
