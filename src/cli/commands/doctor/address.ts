/** Where the requests go: the address, its host, and a proxy on the way. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Address, parseAddress } from '../../../client/address.ts';
import type { Io } from '../../terminal/io.ts';
import { type Finding, ok, problem, problemOf, skipped, warning } from './finding.ts';

export interface Place {
  readonly address: Address;
  readonly url: URL;
  /** The proxy's address without a password, when one is on the way. */
  readonly proxy: string | undefined;
}

const limitMs = 5_000;

export async function checkAddress(io: Io, baseUrl: string, allowInsecureHttp: boolean): Promise<{ findings: Finding[]; place?: Place }> {
  let address: Address;
  try {
    address = parseAddress(baseUrl);
  } catch (error) {
    return { findings: [problemOf('address', error), skipped('proxy', 'not looked at: it needs an address')] };
  }
  const url = new URL(address.baseUrl);
  const proxy = proxyFor(address, io.env);
  const place = { address, url, proxy };
  const proxyFinding = proxy === undefined ? ok('proxy', 'none') : ok('proxy', `${proxy}, from the environment`);
  if (!address.encrypted && !address.loopback && !allowInsecureHttp) {
    const hint = 'use https, or allow it by name with --allow-insecure-http';
    const refused = problem('address', `${address.origin} is not encrypted, so no key is sent there`, 9, { hint });
    return { findings: [refused, proxyFinding] };
  }
  const host = await checkHost(url, proxy);
  return { findings: [host, proxyFinding], place: host.state === 'problem' ? undefined : place };
}

async function checkHost(url: URL, proxy: string | undefined): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return ok('address', `${url.origin}, no name to look up`);
  if (proxy !== undefined) return skipped('address', `${url.origin}; the proxy looks the name up`);
  const failed = (why: string) =>
    problem('address', `the name ${host} cannot be looked up: ${why}`, 9, { hint: 'check the address with --base-url, and the network' });
  const clock = new AbortController();
  try {
    const found = await Promise.race([lookup(host, { all: true }), delay(limitMs, undefined, { signal: clock.signal, ref: false })]);
    if (found === undefined) return failed(`no answer within ${limitMs / 1_000} s`);
    return ok('address', `${url.origin} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EAI_AGAIN' ? failed('no name server answers now') : failed(code === 'ENOTFOUND' ? 'no such host' : message);
  } finally {
    clock.abort();
  }
}

/** As the client decides it: HTTP_PROXY, HTTPS_PROXY and NO_PROXY in either case, and none for this machine. */
export function proxyFor({ baseUrl, loopback, encrypted }: Address, env: Io['env']): string | undefined {
  if (loopback) return undefined;
  const read = (name: string) => env[name] || env[name.toUpperCase()] || '';
  const proxy = (encrypted && read('https_proxy')) || read('http_proxy');
  if (proxy === '') return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const spared = read('no_proxy')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && only !== ownPort) return false;
      const bare = name.replace(/^\*?\./, '');
      return name === '*' || (!name.startsWith('*') && hostname === bare) || hostname.endsWith(`.${bare}`);
    });
  return spared ? undefined : withoutPassword(proxy);
}

function withoutPassword(proxy: string): string {
  const text = proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(text) ? new URL(text).origin.replace(/^null$/, new URL(text).host) : 'an address that is no URL';
}

/** Said of plain http on the way to another machine, which was allowed by name. */
export const insecure = (address: Address): Finding =>
  address.loopback
    ? ok('certificate', 'none needed: the server is this machine')
    : warning('certificate', 'none: the key travels unencrypted, as --allow-insecure-http allows', {
        hint: 'use https where the server has it',
      });
