/** What the clock shows elsewhere. */
import { describe, expect, test } from 'vitest';
import { differsInZone, timeInZone } from '../../../../src/cli/commands/counter/time-zones.ts';

describe('the time in a zone', () => {
  test.each([
    ['2026-12-01T23:30:00Z', 'Europe/Berlin', '2026-12-02 00:30'],
    ['2026-06-01T23:30:00Z', 'Europe/Berlin', '2026-06-02 01:30'],
    ['2026-03-01T02:00:00.000Z', 'America/New_York', '2026-02-28 21:00'],
    ['2026-03-01T00:00:00+14:00', 'Pacific/Kiritimati', '2026-03-01 00:00'],
    ['2026-03-01T02:00:00Z', 'Nowhere/Land', undefined],
    ['soon', 'Europe/Berlin', undefined],
  ])('%s in %s is %s', (iso, zone, there) => {
    expect(timeInZone(zone, iso)).toBe(there);
  });

  test('compares the wall-clock time, not the name of the zone', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(differsInZone(own, '2026-12-01T23:30:00Z')).toBe(false);
    expect(
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].some((zone) =>
        differsInZone(zone, '2026-12-01T23:30:00Z'),
      ),
    ).toBe(true);
    expect(differsInZone('Nowhere/Land', '2026-12-01T23:30:00Z')).toBe(false);
  });
});
