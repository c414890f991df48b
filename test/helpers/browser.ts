/** A real Chromium for tests of pages: `CS_CHROMIUM`, or the first that lies where systems put it. */
import { spawnSync } from 'node:child_process';
import { type Browser, type BrowserContext, devices, chromium as driver, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { toolsAreRequired } from './tools.ts';

const usual = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const runs = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Its path or name; undefined where this machine has none. */
export const chromium: string | undefined = process.env.CS_CHROMIUM || usual.find(runs);

/** In continuous integration, which installs a browser, tests fail without one. */
export const skipWithoutBrowser = !chromium && !toolsAreRequired;
if (skipWithoutBrowser) console.warn('No Chromium was found: tests in a browser are skipped. Install it, or name its path in CS_CHROMIUM.');

let browser: Promise<Browser> | undefined;

/** One for each worker; it ends with the process. */
function sharedBrowser(): Promise<Browser> {
  browser ??= driver.launch({
    executablePath: chromium?.includes('/') || chromium?.includes('\\') ? chromium : pathOf(chromium ?? 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  });
  return browser;
}

const pathOf = (name: string) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim() || name;

export interface Phone {
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
export async function openPhone({ device = 'iPhone 13', colorScheme = 'light', width }: PhoneOptions = {}): Promise<Phone> {
  const description = devices[device];
  if (!description) throw new Error(`no device ${device}`);
  const { height } = description.viewport;
  const viewport = { width: width ?? description.viewport.width, height };
  const context = await (await sharedBrowser()).newContext({ ...description, viewport, colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { context, page, complaints };
}
