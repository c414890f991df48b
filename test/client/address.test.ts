import { describe, expect, test } from 'vitest';
import { fillPath, parseAddress, urlOf } from '../../src/client/address.ts';
import { UsageError } from '../../src/client/errors.ts';

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
    '',
    'cars.example.com',
    '/api',
    'ftp://cars.example.com',
    'https://u:secret@cars.example.com',
    'https://c.example/?a=1',
  ])('refuses %j', (given) => {
    expect(() => parseAddress(given)).toThrow(UsageError);
    expect(() => parseAddress(given)).toThrow(/^(?!.*secret)/);
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
    expect(() => urlOf(address, path)).toThrow(expect.objectContaining({ code: 'invalid_path' }));
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

  test.each(['', '.', '..'])('refuses %j as an id', (id) => {
    expect(() => fillPath('/cars/{id}', [id])).toThrow(
      expect.objectContaining({ code: 'invalid_path' }),
    );
  });

  test('refuses a missing id', () => {
    expect(() => fillPath('/cars/{id}', [])).toThrow("can't be the id in /cars/{id}");
  });
});
