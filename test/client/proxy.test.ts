import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/client/address.ts';
import { proxyFor, proxyOf } from '../../src/client/proxy.ts';

const far = parseAddress('https://cars.example.com');
const proxy = 'http://proxy.example:3128';

describe('the proxy', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['none is set', {}, undefined],
    [
      'one is set, its password left out',
      { HTTPS_PROXY: 'http://me:secret@proxy.example:3128' },
      proxy,
    ],
    ['one without a scheme', { https_proxy: 'proxy.example:3128' }, proxy],
    ['only one for http', { HTTP_PROXY: proxy }, proxy],
    ['both: that of https', { HTTP_PROXY: 'http://other:1', HTTPS_PROXY: proxy }, proxy],
  ])('%s', (_, env, expected) => {
    expect(proxyFor(far, env)).toBe(expected);
    expect(proxyFor(parseAddress('http://127.0.0.1:8787'), env)).toBeUndefined();
  });

  test('keeps its password for the connection', () => {
    expect(proxyOf(far, { HTTPS_PROXY: 'me:secret@proxy.example:3128' })).toBe(
      'http://me:secret@proxy.example:3128',
    );
  });
});

describe('NO_PROXY', () => {
  test.each<[string, string, 'bypassed' | 'proxied']>([
    ['https://cars.example.com', 'x.org, cars.example.com', 'bypassed'],
    ['https://cars.example.com', 'x.org cars.example.com', 'bypassed'],
    ['https://cars.example.com', 'CARS.Example.com', 'bypassed'],
    ['https://cars.example.com', 'cars.example.com.', 'bypassed'],
    ['https://cars.example.com.', 'cars.example.com', 'bypassed'],
    ['https://cars.example.com', '.example.com', 'bypassed'],
    ['https://cars.example.com', 'example.com', 'bypassed'],
    ['https://example.com', '.example.com', 'bypassed'],
    ['https://example.com', '*.example.com', 'proxied'],
    ['https://cars.example.com', '*.example.com', 'bypassed'],
    ['https://carsexample.com', 'example.com', 'proxied'],
    ['https://cars.example.com', '*', 'bypassed'],
    ['https://cars.example.com', '*:443', 'bypassed'],
    ['https://cars.example.com', '*:80', 'proxied'],
    ['https://cars.example.com', 'cars.example.com:443', 'bypassed'],
    ['https://cars.example.com', 'cars.example.com:8443', 'proxied'],
    ['https://cars.example.com:8443', 'cars.example.com:8443', 'bypassed'],
    ['https://[2001:db8::1]', '2001:db8::1', 'bypassed'],
    ['https://[2001:db8::1]', '[2001:db8::1]', 'bypassed'],
    ['https://[2001:db8::1]:8443', '[2001:db8::1]:8443', 'bypassed'],
    ['https://[2001:db8::1]', '[2001:db8::1]:8443', 'proxied'],
    ['https://cars.example.com', ' , ', 'proxied'],
  ])('%s, %s: %s', (address, hosts, expected) => {
    expect(proxyFor(parseAddress(address), { HTTPS_PROXY: proxy, NO_PROXY: hosts })).toBe(
      expected === 'bypassed' ? undefined : proxy,
    );
  });
});
