/** What the page on the phone and the server at the counter agree on. Both load it, so it needs neither a browser nor Node. */

/** Bytes of the secret in the fragment of the address. */
export const secretBytes = 16;
export const nonceBytes = 12;
export const tagBytes = 16;

/** One key for each direction, so that no message can be sent back to its sender. */
export const keyInfo = {
  toCounter: 'car-storage phone 2 to counter',
  toPhone: 'car-storage phone 2 to phone',
} as const;

/** Sealed with each message, so that none passes for another. The bytes of a photo are sealed with the text of its facts. */
export const purposes = {
  hello: 'hello',
  photo: 'photo',
  said: 'said',
  answer: (text: string) => `answer to ${text}`,
} as const;

/** The header with the sealed facts of a photo. */
export const photoHeader = 'x-phone-photo';

const megabyte = 1_000_000;
/** For people, on the phone and at the counter. */
export const sizeText = (bytes: number): string =>
  bytes < megabyte / 10 ? '< 0.1 MB' : `${(bytes / megabyte).toFixed(1)} MB`;

export const photoLimits = {
  bytes: 40 * megabyte,
  photos: 100,
  totalBytes: 500 * megabyte,
} as const;
export const tooLarge = `Larger than ${photoLimits.bytes / megabyte} MB`;

export interface Hello {
  readonly phone: string;
  /** For the person at the counter: `iPhone`. */
  readonly device: string;
}

export interface Welcome {
  /** `HH-RS 73 · drop-off` */
  readonly title: string;
  /** The photos that there should be: `front` is a file such as `front.jpg`. */
  readonly checklist: readonly string[];
  /** The names of the photos at the counter. */
  readonly received: readonly string[];
  /** Of a stock-taking, which takes answers instead of photos. */
  readonly question?: Question;
}

export interface Question {
  readonly number: number;
  /** `A3 (3 of 60)` */
  readonly label: string;
  /** What should be there. */
  readonly hint?: string | undefined;
  /** What came of the answer before it. */
  readonly note?: string | undefined;
  /** The answers by what their buttons say; none at the end. */
  readonly choices: Readonly<Record<string, string>>;
  /** Also takes a plate, and the photo of a code. */
  readonly takesText?: boolean;
}

export interface Said {
  readonly phone: string;
  /** Of the question: an answer that arrives twice counts once. */
  readonly number: number;
  readonly text: string;
}

export interface PhotoFacts {
  readonly phone: string;
  /** The same when it is sent again after a break. */
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** `received`: on the counter's disk, or read. `copy`: so are the bytes of an earlier photo, and it isn't kept twice. */
export type Settled =
  | {
      readonly status: 'received' | 'copy';
      /** Of the code in the photo. */
      readonly text?: string;
    }
  | {
      readonly status: 'refused';
      readonly message: string;
      /** Whether the same photo can pass another time. */
      readonly again?: boolean | undefined;
    };
