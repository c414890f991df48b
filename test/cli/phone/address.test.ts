import { expect, test } from 'vitest';
import {
  addressesFor,
  defaultRouteAddress,
  hostOf,
  usableAddresses,
} from '../../../src/cli/phone/address.ts';

const at = (address: string, internal = false) => [{ address, internal }] as never;

test('the default route first, then private IPv4, other IPv4, IPv6; nothing that a phone never reaches', () => {
  const interfaces = {
    lo: at('127.0.0.1', true),
    docker0: at('172.17.0.1'),
    'br-1f2e': at('172.18.0.1'),
    tailscale0: at('100.64.0.3'),
    utun4: at('10.9.0.2'),
    'vEthernet (WSL)': at('172.20.0.1'),
    eth1: [...at('fe80::1'), ...at('2001:db8::5')],
    en0: [...at('169.254.3.4'), ...at('203.0.113.9')],
    wlan0: at('192.168.178.23'),
    eth0: at('10.1.2.3'),
  } as never;
  expect(usableAddresses(interfaces, '10.1.2.3')).toEqual([
    '10.1.2.3',
    '192.168.178.23',
    '203.0.113.9',
    '2001:db8::5',
  ]);
  expect(usableAddresses(interfaces, '10.9.0.2')[0]).toBe('192.168.178.23');
  expect(usableAddresses({}, undefined)).toEqual([]);
});

test('a machine without a network says so', async () => {
  await expect(addressesFor({}, () => ({}))).rejects.toMatchObject({
    message: 'This machine has no address that a phone can reach.',
    hint: 'connect it to a network, or go on without a phone',
    exitCode: 1,
  });
  // Nor is it asked where the address is given.
  const unknown = () => {
    throw new Error('unknown');
  };
  expect(await addressesFor({ phoneAddress: '192.0.2.1' }, unknown)).toMatchObject({
    address: '192.0.2.1',
    others: [],
  });
});

test('the default route tells an address of this machine, or nothing', async () => {
  expect((await defaultRouteAddress()) ?? '0.0.0.0').toMatch(/^\d+\.\d+\.\d+\.\d+$/);
});

test('IPv6 stands in brackets in an address', () => {
  expect([hostOf('192.0.2.1'), hostOf('2001:db8::5')]).toEqual(['192.0.2.1', '[2001:db8::5]']);
});
