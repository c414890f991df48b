import type { Io } from '../../terminal/io.ts';

/** The program that opens an address with what the person chose for it. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Takes the address as it is; `start` would read its & as the end of a command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
  freebsd: ['xdg-open'],
};

/** False where there is no browser: over SSH, or without a screen. */
export async function openInBrowser(
  { platform, env }: Pick<Io, 'platform' | 'env'>,
  url: string,
): Promise<boolean> {
  const [program, ...words] = openers[platform] ?? [];
  const hasScreen =
    program !== 'xdg-open' || env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
  if (!program || !hasScreen || env.SSH_CONNECTION !== undefined) return false;
  const { execa } = await import('execa');
  const { failed } = await execa(program, [...words, url], {
    stdio: 'ignore',
    reject: false,
    timeout: 10_000,
    env,
  });
  return !failed;
}
