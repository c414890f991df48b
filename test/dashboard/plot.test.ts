/** What the plots of the dashboard draw. */
import { expect, test } from 'vitest';
import { pointsOf } from '../../src/dashboard/plot-points.ts';

test('a line goes on to the end of the last step, which has one bar', () => {
  const line = { title: 'Stored', values: [1, 2], kind: 'area', color: '--accent' } as const;
  const bars = { title: 'In', values: [1, 1], kind: 'bars', color: '--good' } as const;
  expect(pointsOf({ times: [0, 10], end: 20, series: [line, bars] })).toEqual([
    [0, 10, 20],
    [1, 2, 2],
    [1, 1, null],
  ]);
  expect(pointsOf({ times: [0, 10], series: [bars] })).toEqual([
    [0, 10],
    [1, 1],
  ]);
});
