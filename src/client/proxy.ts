/** The proxy of a client's requests, from HTTP_PROXY, HTTPS_PROXY and NO_PROXY in upper or lower case. */
import type { Address } from './address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for this address, as it is set; undefined for a direct connection. */
export function proxyOf(address: Address, env: Environment): string | undefined {
  // Requests to this machine bypass the proxy: it would get the key unencrypted, and couldn't reach this machine.
  if (address.loopback) return undefined;
  const read = (name: string) => env[name] || env[name.toUpperCase()] || '';
  const proxy = (address.encrypted && read('https_proxy')) || read('http_proxy');
  return proxy === '' || isBypassed(new URL(address.baseUrl), read('no_proxy'))
    ? undefined
    : withScheme(proxy);
}

/** Many people write `proxy.example.com:3128`. */
const withScheme = (proxy: string) => (proxy.includes('://') ? proxy : `http://${proxy}`);

/** Whether NO_PROXY names the host: `example.com` and `.example.com` with subdomains, `*.example.com` these alone, `*` every host. */
function isBypassed({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = bareHost(hostname);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      // An IPv6 address has brackets before a port, and several colons without one.
      const [, name = entry, onlyPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
      if (onlyPort !== undefined && onlyPort !== ownPort) return false;
      const bare = bareHost(name.replace(/^\*?\./, ''));
      return bare === '*' || (!name.startsWith('*') && host === bare) || host.endsWith(`.${bare}`);
    });
}

/** Without the brackets of an IPv6 address, and without the dot at the end of a full name. */
const bareHost = (name: string): string => name.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1');

/** The proxy for this address, without its password; undefined for a direct connection. */
export function proxyFor(address: Address, env: Environment): string | undefined {
  const proxy = proxyOf(address, env);
  return proxy && withoutPassword(proxy);
}

function withoutPassword(proxy: string): string {
  return URL.canParse(proxy)
    ? new URL(proxy).origin.replace(/^null$/, new URL(proxy).host)
    : 'an invalid URL';
}
