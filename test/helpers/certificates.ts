import { generateKeyPairSync, sign } from 'node:crypto';

interface Made {
  readonly key: string;
  readonly cert: string;
}

interface MadeFor {
  /** Four numbers with dots are an address. */
  readonly names?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  /** (default: itself) */
  readonly issuer?: Made & { readonly name: string };
  /** May issue others. */
  readonly isAuthority?: boolean;
  readonly purpose?: 'server' | 'client';
}

/**
 * A certificate for a host name, made anew for each run: a key in a repository is a leaked key. Node can read certificates, but not make
 * them, so their few DER values are written out here.
 */
export function makeCertificate(
  name: string,
  {
    names = [name],
    from = new Date('2020-01-01'),
    to = new Date('2120-01-01'),
    issuer,
    isAuthority,
    purpose,
  }: MadeFor = {},
): Made & { readonly name: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const extensions = [
    extension('551d11', sequence(...names.map(alternativeName))),
    ...(isAuthority ? [extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))] : []),
    ...(purpose
      ? [
          extension(
            '551d25',
            sequence(objectId(purpose === 'client' ? '2b06010505070302' : '2b06010505070301')),
          ),
        ]
      : []),
  ];
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName(issuer?.name ?? name),
    sequence(time(from), time(to)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toSign, issuer?.key ?? privateKey));
  const base64 = sequence(toSign, ecdsaWithSha256, signature).toString('base64');
  return {
    name,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const commonName = (name: string) =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));
const time = (at: Date) =>
  der(0x18, Buffer.from(`${at.toISOString().replace(/\.\d+|[-:T]/g, '')}`));
const extension = (id: string, value: Buffer) => sequence(objectId(id), der(0x04, value));
const alternativeName = (name: string) =>
  /^[\d.]+$/.test(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  const lead =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lead]), content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

/** Trusted where it is itself in `ca`. */
const ofThisMachine = {
  names: ['car-storage.test', 'localhost', '127.0.0.1'],
  to: new Date('2126-10-27'),
  isAuthority: true,
};
export const { cert: certificate, key: privateKey } = makeCertificate(
  'car-storage.test',
  ofThisMachine,
);
export const expired = makeCertificate('car-storage.test', {
  ...ofThisMachine,
  to: new Date('2020-02-01'),
});
