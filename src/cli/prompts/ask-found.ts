/**
 * The question for one record of many: those that a search finds, with the answer to correct among
 * them.
 */
import { isSameId } from '../../client/ids.ts';
import type { Context } from '../context.ts';
import { holdsSearch, isShortSearch } from '../input/matching.ts';
import { sanitize } from '../terminal/text.ts';
import { type Heading, moreHeading, type Option } from './options.ts';
import { askSearch } from './prompts.ts';

/** Milliseconds without a key before the server is asked. */
const typingPause = 150;

/** The first records of a search, and how many there are. */
export interface Found<R> {
  readonly records: readonly R[];
  readonly total: number;
}

/** The start of the list that a search goes through. */
export interface Listed<R> {
  readonly records: readonly R[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/** As the start of a list, a page of it. */
export const listedIn = <R>({
  data,
  total,
}: {
  readonly data: readonly R[];
  readonly total: number | undefined;
}): Listed<R> => ({
  records: data,
  isWhole: total !== undefined && data.length >= total,
});

interface FoundQuestion<R, Other> {
  readonly label: string;
  readonly hint: string;
  /** What is searched for (default: the label). */
  readonly one?: string;
  /** What to do where a search finds nothing. */
  readonly otherwise?: string | undefined;
  /** What is searched for at first. */
  readonly initial?: string | undefined;
  /** The answer to correct. */
  readonly earlier?: R | Other | undefined;
  /** Before anything is typed. */
  readonly latest: Found<R>;
  readonly find: (typed: string, signal: AbortSignal) => Promise<Found<R>>;
  /**
   * A short text, which the server's search may miss, is looked up here too. Read once, when it is
   * needed.
   */
  readonly listed: () => Promise<Listed<R>>;
  /** The texts of a record that a short text is looked up in. */
  readonly textsOf: (record: R) => readonly unknown[];
  /** Records on the screen. */
  readonly shown: number;
  readonly optionsOf: (
    records: readonly R[],
  ) => readonly Option<R>[] | Promise<readonly Option<R>[]>;
  /**
   * Options for no record of the list. `notFound`: what was typed, where it finds nothing. Left out
   * where a text is too short to know that.
   */
  readonly others?: (search: { readonly typed: string; readonly notFound: string | undefined }) => {
    readonly above?: readonly Option<Other>[];
    readonly below?: readonly Option<Other>[];
  };
}

export async function askFound<R extends { readonly id: string }, Other = never>(
  context: Context,
  {
    label,
    hint,
    one,
    otherwise,
    initial,
    earlier,
    latest,
    find,
    listed,
    textsOf,
    shown,
    optionsOf,
    others = () => ({}),
  }: FoundQuestion<R, Other>,
): Promise<R | Other> {
  let reading: Promise<Listed<R>> | undefined;
  return askSearch<R | Other>(context, {
    label,
    hint,
    one,
    otherwise,
    ...(initial && { initial }),
    ...(earlier !== undefined && { first: earlier }),
    async find(typed, signal): Promise<(Option<R | Other> | Heading)[]> {
      if (typed !== '') await context.io.pause(typingPause, signal);
      const { records, total, isSure } = await search(typed, signal);
      if (records.length === 0 && !isSure)
        return [
          {
            heading: ` “${sanitize(typed)}” is too short to search for: type 3 characters or more`,
          },
        ];
      const first = records.slice(0, shown);
      const { above = [], below = [] } = others({
        typed,
        notFound: typed !== '' && records.length === 0 ? typed : undefined,
      });
      return [
        ...above,
        ...(await optionsOf(first)),
        ...moreHeading(total - first.length),
        ...below,
      ];
    },
  });

  async function search(
    typed: string,
    signal: AbortSignal,
  ): Promise<Found<R> & { readonly isSure: boolean }> {
    if (typed === '') return { ...withEarlier(latest, earlier), isSure: true };
    if (!isShortSearch(typed)) return { ...(await find(typed, signal)), isSure: true };
    const [found, { records, isWhole }] = await Promise.all([find(typed, signal), readListed()]);
    // Those that aren't read may be the same.
    if (found.total > found.records.length) return { ...found, isSure: true };
    const isNew = ({ id }: R) => !found.records.some((one) => isSameId(one.id, id));
    const more = records.filter((record) => isNew(record) && holdsSearch(textsOf(record), typed));
    return {
      records: [...found.records, ...more],
      total: found.total + more.length,
      isSure: isWhole,
    };
  }

  /** A failure is shown, and the next key reads it again. */
  function readListed(): Promise<Listed<R>> {
    reading ??= listed().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  }

  /** On the screen, where the cursor starts on it. */
  function withEarlier({ records, total }: Found<R>, chosen: R | Other | undefined): Found<R> {
    if (!isRecord(chosen) || records.slice(0, shown).some(({ id }) => isSameId(id, chosen.id)))
      return { records, total };
    const others = records.filter(({ id }) => !isSameId(id, chosen.id));
    return {
      records: [chosen, ...others],
      total: others.length < records.length ? total : total + 1,
    };
  }

  function isRecord(answer: R | Other | undefined): answer is R {
    return typeof answer === 'object' && answer !== null && 'id' in answer;
  }
}
