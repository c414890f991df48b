/** The address of the server, its DNS lookup, and the proxy. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Address, parseAddress } from '../../../client/address.ts';
import { proxiesFor, withoutPassword } from '../../../client/connection.ts';
import type { Io } from '../../terminal/io.ts';
import { errorFinding, ok, problem, skipped, warning } from './finding.ts';
import { checkProxy } from './proxy.ts';
import type { Finding } from './shape.ts';

export interface Endpoint {
  readonly address: Address;
  readonly url: URL;
  /** Its address without a password, if requests go through one. */
  readonly proxy: string | undefined;
}

const lookupTimeoutMs = 5_000;
const lookupFailures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no DNS server answers',
};

export async function checkAddress(
  io: Io,
  baseUrl: string,
  allowInsecureHttp: boolean,
): Promise<{ findings: Finding[]; endpoint?: Endpoint }> {
  let address: Address;
  try {
    address = parseAddress(baseUrl);
  } catch (error) {
    return {
      findings: [errorFinding('address', error), skipped('proxy', 'skipped (needs an address)')],
    };
  }
  const url = new URL(address.baseUrl);
  const set = proxiesFor({ address, env: io.env }).proxy;
  const proxy = set && withoutPassword(set);
  const endpoint = { address, url, proxy };
  if (!address.encrypted && !address.loopback && !allowInsecureHttp) {
    const hint = 'use https, or allow it with --allow-insecure-http';
    const refused = problem(
      'address',
      `${address.origin} isn't encrypted, so cs sends no key there`,
      9,
      { hint },
    );
    return {
      findings: [
        refused,
        proxy === undefined
          ? ok('proxy', 'none')
          : skipped('proxy', `${proxy}, from the environment`),
      ],
    };
  }
  const findings = [await checkHost(url, proxy), await checkProxy(proxy)];
  return {
    findings,
    endpoint: findings.some(({ state }) => state === 'problem') ? undefined : endpoint,
  };
}

async function checkHost(url: URL, proxy: string | undefined): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return ok('address', `${url.origin} (no DNS lookup needed)`);
  if (proxy !== undefined)
    return skipped('address', `${url.origin} (the proxy does the DNS lookup)`);
  const failed = (why: string) =>
    problem('address', `DNS lookup of ${host} failed: ${why}`, 9, {
      hint: 'check the address with --base-url, and the network',
    });
  const clock = new AbortController();
  try {
    const found = await Promise.race([
      lookup(host, { all: true }),
      delay(lookupTimeoutMs, undefined, { signal: clock.signal, ref: false }),
    ]);
    if (found === undefined) return failed(`no answer within ${lookupTimeoutMs / 1_000} s`);
    return ok('address', `${url.origin} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return failed(lookupFailures[code] ?? code);
  } finally {
    clock.abort();
  }
}

/** For plain http: loopback, or allowed with --allow-insecure-http. */
export const unencryptedFinding = (address: Address): Finding =>
  address.loopback
    ? ok('certificate', 'not needed: the server is on this machine')
    : warning('certificate', 'none: the key travels unencrypted (--allow-insecure-http)', {
        hint: 'use https if the server supports it',
      });
