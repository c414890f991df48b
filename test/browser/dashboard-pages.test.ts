/** Every page of the dashboard opens without a complaint and fits a phone. dashboard-looks.test.ts has the rest: axe, wide and dark, with long names. */
import { afterAll, expect, test } from 'vitest';
import { everyPage, loaded, startDashboard } from '../helpers/dashboard-pages.ts';
import { forMany, offenders } from '../helpers/offenders.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());

test(
  'every page opens without a complaint and fits a phone',
  async () => {
    const { page, complaints } = await dashboard.openSignedIn({ width: 320 });
    const pages = [...everyPage, `cars/${dashboard.carId}`];
    const found = await offenders(
      pages.map((name) => ({ name })),
      async ({ name }) => {
        await dashboard.open(page, name);
        await loaded(page);
        // A chart is drawn again after the page has its width.
        await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        expect(complaints.splice(0)).toEqual([]);
      },
    );
    expect(found).toEqual([]);
  },
  forMany,
);
