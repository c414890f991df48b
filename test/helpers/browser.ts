/** A real Chromium for tests of pages. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  devices,
  type Page,
} from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';

let browser: Promise<Browser> | undefined;

/** One for each worker; it ends with the process. */
function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}

export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained about: messages on its console, uncaught errors, and requests to other hosts. */
  readonly complaints: string[];
}

interface PhoneOptions {
  readonly device?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** A phone with an empty browser, which ends with the test. */
export async function openPhone({
  device = 'iPhone 13',
  colorScheme = 'light',
  width,
}: PhoneOptions = {}): Promise<OpenBrowser> {
  const description = devices[device];
  if (!description) throw new Error(`no device ${device}`);
  const { height } = description.viewport;
  const viewport = { width: width ?? description.viewport.width, height };
  const opened = await openWith({ ...description, viewport, colorScheme });
  onTestFinished(() => endOf(opened));
  return opened;
}

interface DeskOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly javaScriptEnabled?: boolean;
}

/** A computer with an empty browser, which ends with the test. */
export async function openDesk(options?: DeskOptions): Promise<OpenBrowser> {
  const opened = await openLastingDesk(options);
  onTestFinished(() => endOf(opened));
  return opened;
}

/** A computer for several tests, which ends with `endOf`. */
export const openLastingDesk = ({
  colorScheme = 'light',
  width = 1280,
  javaScriptEnabled = true,
}: DeskOptions = {}): Promise<OpenBrowser> =>
  openWith({
    viewport: { width, height: 800 },
    colorScheme,
    javaScriptEnabled,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });

export async function endOf({ page, context }: OpenBrowser): Promise<void> {
  // A page that still loads would fail in the test's own answers.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

async function openWith(options: BrowserContextOptions): Promise<OpenBrowser> {
  const context = await (await sharedBrowser()).newContext(options);
  // Long, since it only ends hanging tests.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  let home: string | undefined;
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!protocol.startsWith('http')) return;
    home ??= origin;
    if (origin !== home) complaints.push(`request to ${request.url()}`);
  });
  return { context, page, complaints };
}
