import { describe, expect, test } from 'vitest';
import { fillPath, parseAddress, urlOf } from '../../src/client/address.ts';
import { UsageError } from '../../src/client/errors.ts';

function refusal(attempt: () => unknown): [code: string, message: string] | undefined {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const { code, message } = error as UsageError;
    return [code, message];
  }
  return undefined;
}

describe('parseAddress', () => {
  test.each([
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
    ['https://cars.example.com/storage/', 'https://cars.example.com/storage'],
    ['https://cars.example.com/storage/api/v1', 'https://cars.example.com/storage'],
    ['https://Cars.Example.com:443/api/v1/', 'https://cars.example.com'],
  ])('%s', (given, baseUrl) => {
    expect(parseAddress(given).baseUrl).toBe(baseUrl);
  });

  test.each([
    ['', '"" isn\'t a URL'],
    ['cars.example.com', '"cars.example.com" isn\'t a URL'],
    ['/api', '"/api" isn\'t a URL'],
    ['ftp://cars.example.com', 'must start with https:// or http://, not ftp:'],
    ['https://u:secret@cars.example.com', "can't contain a user name or password"],
    ['https://c.example/?a=1', "can't contain a query or a fragment"],
    ['https://c.example/#a', "can't contain a query or a fragment"],
  ])('refuses %j', (given, why) => {
    expect(refusal(() => parseAddress(given))).toEqual([
      'invalid_base_url',
      `the base address ${why}; it should look like https://cars.example.com`,
    ]);
  });

  test.each([
    ['http://localhost', true],
    ['http://127.0.0.1', true],
    ['http://127.255.1.9', true],
    ['http://127.1', true],
    ['http://2130706433', true],
    ['http://[::1]:1', true],
    ['http://127.0.0.1.example.com', false],
    ['http://localhost.example.com', false],
    ['http://0.0.0.0', false],
    ['http://10.0.0.1', false],
    ['http://[::]', false],
    ['http://car-storage.test', false],
  ])('%s is this machine: %s', (given, loopback) => {
    expect(parseAddress(given).loopback).toBe(loopback);
  });
});

describe('urlOf', () => {
  const address = parseAddress('https://cars.example.com/storage');

  test('adds the prefix once', () => {
    expect(urlOf(address, '/cars').href).toBe('https://cars.example.com/storage/api/v1/cars');
    expect(urlOf(address, '/api/v1/cars').href).toBe(
      'https://cars.example.com/storage/api/v1/cars',
    );
  });

  test('writes a query: lists with commas, without empty values', () => {
    const url = urlOf(address, '/cars', {
      ids: ['a', 'b'],
      q: 'é&+',
      isActive: false,
      page: 2,
      status: undefined,
      vin: null,
    });
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ids: 'a,b',
      q: 'é&+',
      isActive: 'false',
      page: '2',
    });
    expect(url.search).toContain('%2B');
  });

  test.each([
    '/../../cars',
    '/cars/%2e%2e/%2E%2E/%2e%2e/x',
    '@evil.example/x',
    '.evil.example/',
    'cars',
    '',
    '/cars#x',
    '/..\\..\\..',
  ])('refuses %j, which would change the address', (path) => {
    expect(refusal(() => urlOf(address, path))).toEqual([
      'invalid_path',
      `the path "${path}" isn't below /api/v1; it should look like /cars`,
    ]);
  });

  test('a path that looks like a host stays on the server', () => {
    expect(urlOf(address, '//evil.example/x').origin).toBe('https://cars.example.com');
  });
});

describe('fillPath', () => {
  test('encodes ids', () => {
    expect(fillPath('/cars/{id}/photos/{photoId}', ['a/b?c#d', 'é %'])).toBe(
      '/cars/a%2Fb%3Fc%23d/photos/%C3%A9%20%25',
    );
  });

  test.each([[['']], [['.']], [['..']], [[]]])('refuses %j as an id', (ids) => {
    expect(refusal(() => fillPath('/cars/{id}', ids))).toEqual([
      'invalid_path',
      `"${ids[0] ?? ''}" can't be the id in /cars/{id}`,
    ]);
  });
});
