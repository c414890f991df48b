/** The proxy of a request, from HTTP_PROXY, HTTPS_PROXY and NO_PROXY in upper or lower case. */
import type { Address } from './address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Undefined without a proxy. */
export function proxiesOf({ loopback }: Address, env: Environment): Proxies | undefined {
  // Requests to this machine bypass the proxy: it would get the key unencrypted, and couldn't reach this machine.
  if (loopback) return undefined;
  const read = (name: string) => env[name] || env[name.toUpperCase()] || '';
  const httpProxy = withScheme(read('http_proxy'));
  const httpsProxy = withScheme(read('https_proxy'));
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: read('no_proxy') } : undefined;
}

/** Many people write `proxy.example.com:3128`. */
const withScheme = (proxy: string) => (proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`);

/** The proxy for this address, without its password; undefined for a direct connection. */
export function proxyFor(address: Address, env: Environment): string | undefined {
  const proxies = proxiesOf(address, env);
  const proxy = (address.encrypted && proxies?.httpsProxy) || proxies?.httpProxy;
  if (!proxies || !proxy) return undefined;
  const { hostname, port, protocol } = new URL(address.baseUrl);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const bypassed = proxies.noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && only !== ownPort) return false;
      const bare = name.replace(/^\*?\./, '');
      return name === '*' || (!name.startsWith('*') && hostname === bare) || hostname.endsWith(`.${bare}`);
    });
  return bypassed ? undefined : withoutPassword(proxy);
}

function withoutPassword(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).origin.replace(/^null$/, new URL(proxy).host) : 'an invalid URL';
}
