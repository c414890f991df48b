/** What a code means in more words than an error has room for, and what to do about it. */
export interface Explanation {
  readonly means: string;
  /** The next step; commands in backquotes. */
  readonly next: string;
}

export const explained = (means: string, next: string): Explanation => ({ means, next });
