import { describe, expect, test } from 'vitest';
import { isPrivate, isPublic } from '../../../src/service/files/source-url.ts';

describe('isPublic', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '198.17.0.1',
    '223.255.255.255',
  ])('%s is dialled', (address) => expect(isPublic(address)).toBe(true));
  test.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2001:200::1'])(
    '%s is dialled',
    (address) => expect(isPublic(address)).toBe(true),
  );

  test.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'shared (carrier-grade NAT)'],
    ['100.127.255.255', 'shared, its end'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback, its end'],
    ['169.254.169.254', 'link-local: cloud metadata'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private, its end'],
    ['192.0.0.1', 'protocol assignments'],
    ['192.0.0.192', 'protocol assignments: cloud metadata'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking, its end'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast, its end'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::8.8.8.8', 'IPv4-compatible, public'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
    ['::ffff:8.8.8.8', 'IPv4-mapped, public'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::a00:1', 'NAT64, local use'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmarking'],
    ['2001:10::1', 'ORCHID'],
    ['2001:20::1', 'ORCHIDv2'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'not given out'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local: cloud metadata'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['example.com', 'a name'],
    ['', 'nothing'],
  ])('%s is not: %s', (address) => expect(isPublic(address)).toBe(false));
});

describe('isPrivate', () => {
  test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', 'fd00::1'])(
    '%s can be opened up',
    (address) => expect(isPrivate(address)).toBe(true),
  );
  test.each([
    '169.254.169.254',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    'fe80::1',
    '8.8.8.8',
    'localhost',
  ])('%s cannot', (address) => expect(isPrivate(address)).toBe(false));
});
