/** A page as PDF, by the Chromium of this machine. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError, usage } from '../../errors/exit.ts';
import { saveFile } from '../../output/save-file.ts';
import type { Io } from '../../terminal/io.ts';

const usual = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a page. Exit 2 for a name of another kind. */
export function pageFile({ cwd }: Pick<Io, 'cwd'>, name: string): string {
  if (/\.(html|pdf)$/i.test(name)) return resolve(cwd, name);
  throw usage(`--to: "${name}" is neither .html nor .pdf.`, 'end it with .html or .pdf');
}

/** As HTML or PDF, by its name. */
export async function savePage(
  io: Pick<Io, 'env'>,
  { file, html, overwrite }: { file: string; html: string; overwrite: boolean | undefined },
): Promise<void> {
  const bytes = /\.pdf$/i.test(file) ? await pdfOf(io, html) : Buffer.from(html);
  await saveFile(file, [bytes], { overwrite });
}

/** Exit 2 without a Chromium. */
async function pdfOf({ env }: Pick<Io, 'env'>, html: string): Promise<Buffer> {
  const { execa } = await import('execa');
  const folder = await mkdtemp(join(tmpdir(), 'cs-sheet-'));
  const [page, pdf] = [join(folder, 'sheet.html'), join(folder, 'sheet.pdf')];
  const words = [
    ...['--headless', '--disable-gpu', '--no-pdf-header-footer', `--user-data-dir=${folder}`],
    // Chromium starts no sandbox as root; the page is our own, without scripts.
    ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
    ...[`--print-to-pdf=${pdf}`, pathToFileURL(page).href],
  ];
  try {
    await writeFile(page, html, { mode: 0o600 });
    for (const program of env.CHROME_PATH ? [env.CHROME_PATH] : usual) {
      const { failed } = await execa(program, words, { reject: false, timeout: 120_000, env });
      if (!failed) return await readFile(pdf);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  throw new CliError({
    code: 'usage',
    message: 'No Chromium made the PDF on this machine.',
    hint: 'install Chromium or Chrome, name it in CHROME_PATH, or write .html and print it from a browser',
  });
}
