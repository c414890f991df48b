/** What the pictures of the dashboard show. */
import type { Page } from 'playwright-core';

export interface View {
  /** Of the file. */
  readonly name: string;
  /** Below /dashboard. CAR, KEY and LINK stand for an id or a token. */
  readonly path: string;
  /** For people who don't see it. */
  readonly title: string;
  /** Besides light and wide. */
  readonly looks?: readonly ('dark' | 'phone')[];
  readonly signedOut?: boolean;
  readonly needsLink?: boolean;
  /** Of the window, where the picture isn't the whole page. */
  readonly height?: number;
  /** What to do on the page before. */
  prepare?(page: Page): Promise<void>;
}

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

interface PictureFile extends Look {
  readonly file: string;
}

/** The files of a view: `keys.webp`, `keys-dark.webp`, `keys-phone.webp`. */
export const picturesOf = ({ name, looks = [] }: View): PictureFile[] => [
  { file: `${name}.webp`, colorScheme: 'light', width: 1280 },
  ...looks.map(
    (look): PictureFile => ({
      file: `${name}-${look}.webp`,
      colorScheme: look === 'dark' ? 'dark' : 'light',
      width: look === 'phone' ? 390 : 1280,
    }),
  ),
];

const createKey = async (page: Page) => {
  await page.getByLabel('Name').fill('Parts shop');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByText('Key created. Copy it now.').waitFor();
};
const createScreen = async (page: Page) => {
  await page.getByLabel('Name').fill('Office');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.locator('.qr').waitFor();
};

export const views: readonly View[] = [
  { name: 'sign-in', path: 'sign-in', title: 'The sign-in', signedOut: true, height: 640 },
  {
    name: 'link',
    path: 'link#LINK',
    title: 'A first link asks for a password',
    signedOut: true,
    needsLink: true,
    height: 720,
  },
  { name: 'board', path: 'board', title: 'The board', looks: ['dark', 'phone'] },
  { name: 'today', path: 'today', title: 'The day', looks: ['phone'] },
  { name: 'cars', path: 'cars', title: 'The cars' },
  { name: 'car', path: 'cars/CAR', title: 'A car with its photos' },
  {
    name: 'photo',
    path: 'cars/CAR',
    title: 'A photo over the page of its car',
    height: 800,
    prepare: async (page) => {
      await page.locator('.photos a').first().click();
      await page.getByRole('dialog').locator('img').waitFor();
    },
  },
  { name: 'occupancy', path: 'occupancy', title: 'Occupancy' },
  { name: 'keys', path: 'keys', title: 'The keys', looks: ['dark', 'phone'] },
  { name: 'new-key', path: 'keys/new?preset=website', title: 'A new key' },
  { name: 'key', path: 'keys/KEY', title: 'A key' },
  { name: 'revoke', path: 'keys/KEY?do=revoke', title: 'Revoking a key', height: 720 },
  { name: 'turn-off', path: 'keys?do=turn-off', title: 'Turning the integration off', height: 720 },
  { name: 'usage', path: 'usage', title: 'Usage' },
  { name: 'settings', path: 'settings', title: 'Admins' },
  { name: 'sessions', path: 'settings/sessions', title: 'Sessions' },
  { name: 'audit', path: 'settings/audit', title: 'The log' },
  { name: 'password', path: 'settings/password', title: 'My password' },
  { name: 'wall', path: 'board?wall', title: 'The wall', height: 720 },
  // Last, since they change what the others show.
  {
    name: 'key-shown-once',
    path: 'keys/new?preset=website',
    title: 'The new key, shown once',
    height: 640,
    prepare: createKey,
  },
  {
    name: 'screens',
    path: 'settings/screens',
    title: 'A new screen with its code',
    prepare: createScreen,
  },
];
