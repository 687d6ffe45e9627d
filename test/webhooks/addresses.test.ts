import { describe, expect, it } from 'vitest';
import { parseSubnet, type Subnet } from '../../src/support/subnet.js';
import { createAddressPolicy, urlError } from '../../src/webhooks/addresses.js';

const subnets = (...texts: string[]) => texts.map((text) => parseSubnet(text) as Subnet);
const byDefault = createAddressPolicy([]);

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('that is public may be sent to: %s', (address) => {
    expect(byDefault.refusal(address)).toBeUndefined();
  });

  it.each([
    ['0.0.0.0', 'an unspecified'],
    ['0.1.2.3', 'an unspecified'],
    ['10.1.2.3', 'a private'],
    ['172.16.0.1', 'a private'],
    ['172.31.255.255', 'a private'],
    ['192.168.1.1', 'a private'],
    ['100.64.0.1', 'a shared (carrier-grade NAT)'],
    ['100.127.255.255', 'a shared (carrier-grade NAT)'],
    ['127.0.0.1', 'a loopback'],
    ['127.255.255.254', 'a loopback'],
    ['224.0.0.1', 'a multicast'],
    ['239.255.255.250', 'a multicast'],
    ['255.255.255.255', 'a reserved'],
    ['192.0.0.1', 'a reserved'],
    ['198.18.0.1', 'a reserved'],
    ['192.0.2.1', 'a documentation'],
    ['192.88.99.1', 'a translated'],
    ['::', 'an unspecified'],
    ['::1', 'a loopback'],
    ['0:0:0:0:0:0:0:1', 'a loopback'],
    ['fc00::1', 'a private'],
    ['fd12:3456::1', 'a private'],
    ['fec0::1', 'a private'],
    ['ff02::1', 'a multicast'],
    ['::ffff:10.0.0.1', 'a private'],
    ['::ffff:7f00:1', 'a loopback'],
    ['::ffff:8.8.8.8', 'a mapped'],
    ['::8.8.8.8', 'a mapped'],
    ['::ffff:0:808:808', 'a mapped'],
    ['64:ff9b::808:808', 'a translated'],
    ['64:ff9b::7f00:1', 'a translated'],
    ['64:ff9b:1::808:808', 'a translated'],
    ['2002:7f00:1::', 'a translated'],
    ['2002:808:808::', 'a translated'],
    ['2001::1', 'a translated'],
    ['2001:db8::1', 'a documentation'],
    ['2001:10::1', 'a reserved'],
    ['100::1', 'a reserved'],
    ['4000::1', 'a reserved'],
    ['5f00::1', 'a reserved'],
  ])('that is not public is refused: %s is %s address', (address, kind) => {
    expect(byDefault.refusal(address)).toBe(
      `${address} is ${kind} address; the operator can allow it with COMANDA_WEBHOOK_ALLOW`,
    );
  });

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
  ])('that is link-local or of metadata is refused whatever is allowed: %s', (address) => {
    const everything = createAddressPolicy(subnets('0.0.0.0/0', '::/0'));
    expect(everything.refusal(address)).toMatch(
      / is a link-local or metadata address, which is never allowed$/,
    );
  });

  it('is allowed where the host has opened its range, and only there', () => {
    const some = createAddressPolicy(subnets('127.0.0.0/8', 'fd12::/16', '10.0.0.7'));
    for (const address of ['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', 'fd12::1', '10.0.0.7']) {
      expect([address, some.refusal(address)]).toEqual([address, undefined]);
    }
    for (const address of ['::1', '10.0.0.8', 'fd13::1', '192.168.0.1', '2002:7f00:1::']) {
      expect([address, some.refusal(address)]).toEqual([
        address,
        expect.stringContaining('COMANDA_WEBHOOK_ALLOW'),
      ]);
    }
  });

  it('is no range to be opened when it is none', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '::/129',
      'localhost',
      '10.0.0.0/',
      '10.0.0/8',
      'fe80::1%eth0/64',
      '1/8',
    ]) {
      expect([text, parseSubnet(text)]).toEqual([text, undefined]);
    }
    expect(parseSubnet('::1')).toEqual({ address: '::1', prefix: 128 });
  });
});

describe('the URL of an endpoint', () => {
  it.each([
    'https://example.com/hooks',
    'http://example.com:8080/hooks?token=1#part',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('may be %s', (url) => {
    expect(urlError(url, byDefault)).toBeUndefined();
  });

  it.each([
    ['', 'not a URL'],
    ['example.com', 'not a URL'],
    ['/hooks', 'not a URL'],
    ['http://', 'not a URL'],
    ['http://[fe80::1%25eth0]/', 'not a URL'],
    ['ftp://example.com/', 'only http and https'],
    ['file:///etc/passwd', 'only http and https'],
    ['javascript:alert(1)', 'only http and https'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:secret@example.com/', 'user name or password'],
    ['https://169.254.169.254%2f@example.com/', 'user name or password'],
    ['http://example.com:0/', 'port 0'],
    [`https://example.com/${'x'.repeat(2_100)}`, 'at most 2048 characters'],
    ['http://127.0.0.1/', '127.0.0.1 is a loopback'],
    ['http://2130706433/', '127.0.0.1 is a loopback'],
    ['http://0177.0.0.1/', '127.0.0.1 is a loopback'],
    ['http://0x7f.1/', '127.0.0.1 is a loopback'],
    ['http://127.1:8080/', '127.0.0.1 is a loopback'],
    ['http://①②⑦.0.0.1/', '127.0.0.1 is a loopback'],
    ['http://0/', '0.0.0.0 is an unspecified'],
    ['http://[::1]/', '::1 is a loopback'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1 is a loopback'],
    ['http://[::ffff:169.254.169.254]/', 'never allowed'],
    ['http://[64:ff9b::169.254.169.254]/', 'never allowed'],
    ['http://2852039166/', '169.254.169.254 is a link-local or metadata'],
    ['http://0251.0376.0251.0376/', '169.254.169.254 is a link-local or metadata'],
    ['http:/\\169.254.169.254/latest', '169.254.169.254 is a link-local or metadata'],
    ['http://localhost:3000/', '127.0.0.1 is a loopback'],
    ['http://LOCALHOST./', '127.0.0.1 is a loopback'],
    ['http://app.localhost/', '127.0.0.1 is a loopback'],
  ])('may not be %s', (url, reason) => {
    expect(urlError(url, byDefault)).toContain(reason);
  });
});
