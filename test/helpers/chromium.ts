/** The Chromium of this machine: `CS_CHROMIUM`, or the first that lies where systems put it. Also for programs that aren't tests. */
import { spawnSync } from 'node:child_process';
import { type Browser, chromium as driver } from 'playwright-core';
import { toolsAreRequired } from './tools.ts';

const withWindows = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const first = (programs: readonly string[]): string | undefined =>
  process.env.CS_CHROMIUM ||
  programs.find((program) => spawnSync(program, ['--version']).status === 0);

/** Its path or name; undefined where this machine has none. The one that can't show windows does the same in half the time. */
export const chromium = first(['chromium-headless-shell', ...withWindows]);

/** In continuous integration, which installs a browser, tests fail without one. */
export const withBrowser = toolsAreRequired || chromium !== undefined;

/** `keepsPages`: as people have it, Back shows a page as it was left, where the page lets it. Drivers switch this off, and it needs windows. */
export const launchChromium = (
  more: readonly string[] = [],
  { keepsPages = false } = {},
): Promise<Browser> =>
  driver.launch({
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    executablePath: pathOf((keepsPages ? first(withWindows) : chromium) ?? 'chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      ...more,
    ],
  });

const pathOf = (program: string) =>
  /[/\\]/.test(program)
    ? program
    : spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || program;
