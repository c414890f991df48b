/** Pictures of what is printed: the hand-over sheet and labels of the demonstration, as a browser shows them. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { launchChromium } from '../helpers/chromium.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTerminal } from '../helpers/pseudo-terminal.ts';
import { demoEnv, now } from './take.ts';

/** By their file: the command that writes the page, and its height in CSS pixels. */
const pages = {
  'report.webp': [['report', 'HH-E 61H', '--compare'], 1090],
  'labels.webp': [['labels', 'spots', '--zone', 'Hall A'], 360],
} as const;
export const paperPictures = Object.keys(pages);

export async function takePaperPictures(): Promise<Record<string, Buffer>> {
  const home = await makeFolder();
  const demo = join(home, 'demo');
  const start = (argv: readonly string[]) =>
    startTerminal(argv, { env: demoEnv(home), cwd: home, now, patienceMs: 120_000 });
  const service = start(['demo', '--keep', '--data', demo]);
  const run = async (argv: readonly string[]) => {
    const terminal = start(argv);
    const code = await terminal.exited;
    if (code !== 0)
      throw new Error(`cs ${argv.join(' ')} ended with ${code}: ${terminal.screen()}`);
  };
  const browser = await launchChromium();
  try {
    await service.waitFor('keeps running here');
    await cp(join(demo, 'sample-photos'), join(home, 'shots'), { recursive: true });
    const photos = ['--photo', 'shots/*.jpg', '--notes', 'left mirror loose', '--yes'];
    await run(['dropoff', 'HH-E 61H', '--type', 'drop_off', '--spot', 'A3', ...photos]);
    await run(['pickup', 'HH-E 61H', ...photos]);
    const page = await browser.newPage();
    const pictures: Record<string, Buffer> = {};
    for (const [name, [argv, height]] of Object.entries(pages)) {
      const file = join(home, `${name}.html`);
      await run([...argv, '--to', file]);
      // A4 at 96 dots an inch.
      await page.setViewportSize({ width: 794, height });
      await page.goto(pathToFileURL(file).href);
      // As the printer leaves it.
      if (name === 'report.webp') await page.addStyleTag({ content: 'html { padding-top: 14mm }' });
      pictures[name] = await sharp(await page.screenshot())
        .webp({ quality: 75, effort: 6 })
        .toBuffer();
    }
    service.press('ctrl-c');
    await service.exited;
    return pictures;
  } finally {
    await browser.close();
    service.close();
    await removeFolder(home);
  }
}
