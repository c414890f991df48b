/** Where browsers reach the dashboard of a data folder. */
import { usage } from '../../errors/exit.ts';
import type { Io } from '../../terminal/io.ts';
import type { DataSource } from './data-folder.ts';

const flag = '--public-url';

export interface DashboardAddress {
  /** Without a slash at the end. */
  readonly url: string;
  /** Whether a service answers there, as far as this machine can tell. */
  readonly isRunning: boolean;
}

/** The given address, else that of the service that runs on the data, else the one that it gets by default. */
export async function dashboardAddress(
  io: Pick<Io, 'env'>,
  { data, database }: DataSource,
  given: string | undefined,
): Promise<DashboardAddress> {
  const publicUrl = readPublicUrl(given ?? io.env.CS_PUBLIC_URL);
  const { runningService } = await import('../../../service/data-folder/lock.ts');
  // With PostgreSQL, services of other machines may run.
  const running = database === undefined ? runningService(data) : undefined;
  const url =
    publicUrl?.origin ??
    running?.publicUrl ??
    localAddress(running?.url) ??
    'http://127.0.0.1:8787';
  return { url, isRunning: running?.url !== undefined || database !== undefined };
}

/** A wildcard address becomes loopback, the only place where passwords and keys may travel unencrypted. */
export const localAddress = (url: string | undefined): string | undefined =>
  url?.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

/** An address without a path: links and cookies belong to the whole host. */
export function readPublicUrl(text: string | undefined): URL | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hint = 'write it like https://garage.example';
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw usage(`"${text}" (${flag}) isn't a web address.`, hint);
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    throw usage(
      `"${text}" (${flag}) must name a host only: the service needs a host of its own.`,
      hint,
    );
  return url;
}
