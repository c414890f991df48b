/** What a plot draws. */
export interface Series {
  readonly title: string;
  readonly values: readonly (number | null)[];
  readonly kind: 'area' | 'line' | 'bars';
  /** A variable of the style sheet. */
  readonly color: string;
}

export interface PlotData {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** The end of the last step. Without it, a line ends where its last step starts. */
  readonly end?: number;
  readonly series: readonly Series[];
  readonly timezone: string;
}

/** The times and the values at them. A last point lets lines go on to the end; it has no bar. */
export function pointsOf({ times, series, end }: Omit<PlotData, 'timezone'>): (number | null)[][] {
  const last = end === undefined ? [] : [end];
  return [
    [...times, ...last],
    ...series.map(({ values, kind }) => [
      ...values,
      ...last.map(() => (kind === 'bars' ? null : (values.at(-1) ?? null))),
    ]),
  ];
}
