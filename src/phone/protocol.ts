/** What the page on the phone and the server at the counter agree on. Both load it, so it needs neither a browser nor Node. */

/** Bytes of the secret in the fragment of the address. */
export const secretBytes = 16;
export const nonceBytes = 12;
export const tagBytes = 16;

/** One key for each direction, so that no message can be sent back to its sender. */
export const keyInfo = {
  toCounter: 'car-storage phone 1 to counter',
  toPhone: 'car-storage phone 1 to phone',
} as const;

const megabyte = 1_000_000;
/** For people, on the phone and at the counter. */
export const sizeText = (bytes: number): string =>
  bytes < megabyte / 10 ? '< 0.1 MB' : `${(bytes / megabyte).toFixed(1)} MB`;

export const photoLimits = {
  bytes: 40 * megabyte,
  photos: 100,
  totalBytes: 500 * megabyte,
} as const;

/** Says which message is sealed, so that none passes for another. */
export const purposes = {
  hello: 'hello',
  state: 'state',
  photo: (n: number) => `photo ${n}`,
  answer: (to: string) => `answer to ${to}`,
} as const;

/** The header with the sealed question for the state. */
export const stateHeader = 'x-phone-state';
/** The header with the sealed facts of a photo. The bytes are sealed together with their text. */
export const photoHeader = 'x-phone-photo';

export interface Hello {
  readonly phone: string;
  /** For the person at the counter: `iPhone`. */
  readonly device: string;
}

export interface StateQuestion {
  readonly phone: string;
  /** The version that the phone knows: the answer waits a moment for another one. */
  readonly version: number;
}

export interface PhotoFacts {
  readonly phone: string;
  /** Counts the photos of a phone. */
  readonly n: number;
  readonly name: string;
  /** A media type, or nothing where the phone knows none. */
  readonly type: string;
  readonly size: number;
}

/** `there`: on the counter's disk. `copy`: so are the bytes of an earlier photo, and it isn't kept twice. `dropped`: the person at the counter left it out. */
export type Settled = { readonly status: 'there' | 'copy' | 'dropped' } | Refusal;

export interface Refusal {
  readonly status: 'refused';
  readonly message: string;
  /** Whether the same photo can pass another time. */
  readonly again?: boolean;
}

/**
 * - `taken`: the counter goes on with the photos.
 * - `left`: it goes on without them.
 * - `stopped`: its command was stopped.
 * - `expired`: nothing happened for too long.
 */
export type End = 'taken' | 'left' | 'stopped' | 'expired';

export interface CounterState {
  readonly version: number;
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** By number, those of this phone. */
  readonly photos: Readonly<Record<number, Settled>>;
  /** Photos at the counter, of every phone. */
  readonly there: number;
  readonly end: End | null;
}
