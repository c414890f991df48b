/** Photos made by hand, byte by byte, for what an image library would not write. */
import { crc32, deflateSync } from 'node:zlib';

export interface ExifOptions {
  bigEndian?: boolean;
  orientation?: number;
  /** Leaves the GPS directory out. */
  gps?: boolean;
  /** A GPS directory with the time only, as written where the place was not known. */
  timeOnly?: boolean;
  thumbnail?: Buffer;
}

type Value = { tag: number; type: 1 | 2 | 3 | 4 | 5; numbers?: number[]; text?: string };

/** An EXIF block (a TIFF file): make, orientation, date, GPS between other entries, and a thumbnail when given. */
export function exifBlock({
  bigEndian = true,
  orientation = 1,
  gps = true,
  timeOnly = false,
  thumbnail,
}: ExifOptions = {}): Buffer {
  // A phone writes the version first: four bytes, so they stand in the entry itself.
  const place: Value[] = [
    { tag: 0, type: 1, numbers: [2, 3, 0, 0] },
    { tag: 1, type: 2, text: 'N' },
    { tag: 2, type: 5, numbers: [51, 1, 30, 1, 4567, 100] },
    { tag: 3, type: 2, text: 'W' },
    { tag: 4, type: 5, numbers: [0, 1, 7, 1, 3999, 100] },
  ];
  const time: Value = { tag: 7, type: 5, numbers: [12, 1, 0, 1, 0, 1] };
  const bytes: Buffer[] = [
    Buffer.from(bigEndian ? 'MM\0*' : 'II*\0', 'latin1'),
    number(8, 4, bigEndian),
  ];
  const length = () => bytes.reduce((sum, part) => sum + part.length, 0);
  const add = (values: Value[], link: number) =>
    bytes.push(directory(values, { at: length(), link, bigEndian }));
  const rest: Value[] = [
    { tag: 0x010f, type: 2, text: 'Acme Optics' },
    { tag: 0x0112, type: 3, numbers: [orientation] },
    { tag: 0x0132, type: 2, text: '2026:03:04 05:06:07' },
  ];
  const first = (pointers: Value[], link: number) =>
    directory([...rest, ...pointers], { at: 8, link, bigEndian }).length;
  const pointers = gps ? [pointer(0x8825, 0)] : [];
  const afterFirst = 8 + first(pointers, 0);
  const gpsValues = timeOnly ? [time] : [...place, time];
  const afterGps =
    afterFirst + (gps ? directory(gpsValues, { at: afterFirst, link: 0, bigEndian }).length : 0);
  add([...rest, ...(gps ? [pointer(0x8825, afterFirst)] : [])], thumbnail ? afterGps : 0);
  if (gps) add(gpsValues, 0);
  if (thumbnail) {
    const values = (at: number) => [pointer(0x0201, at), pointer(0x0202, thumbnail.length)];
    add(values(length() + directory(values(0), { at: 0, link: 0, bigEndian }).length), 0);
    bytes.push(thumbnail);
  }
  return Buffer.concat(bytes);
}

const pointer = (tag: number, value: number): Value => ({ tag, type: 4, numbers: [value] });

function number(value: number, size: number, bigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(size);
  if (bigEndian) bytes.writeUIntBE(value, 0, size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
}

function directory(
  values: Value[],
  { at, link, bigEndian }: { at: number; link: number; bigEndian: boolean },
): Buffer {
  const entries: Buffer[] = [];
  const extra: Buffer[] = [];
  let free = at + 2 + values.length * 12 + 4;
  for (const { tag, type, numbers = [], text } of values) {
    const size = type === 1 ? 1 : type === 3 ? 2 : 4;
    const data =
      text === undefined
        ? Buffer.concat(numbers.map((n) => number(n, size, bigEndian)))
        : Buffer.from(`${text}\0`, 'latin1');
    const count = text === undefined ? numbers.length / (type === 5 ? 2 : 1) : data.length;
    const inline =
      data.length <= 4
        ? Buffer.concat([data, Buffer.alloc(4 - data.length)])
        : number(free, 4, bigEndian);
    if (data.length > 4) {
      const padded = data.length % 2 ? Buffer.concat([data, Buffer.alloc(1)]) : data;
      extra.push(padded);
      free += padded.length;
    }
    entries.push(
      Buffer.concat([
        number(tag, 2, bigEndian),
        number(type, 2, bigEndian),
        number(count, 4, bigEndian),
        inline,
      ]),
    );
  }
  return Buffer.concat([
    number(values.length, 2, bigEndian),
    ...entries,
    number(link, 4, bigEndian),
    ...extra,
  ]);
}

/** An XMP packet with the place as attributes, as elements, and in a drone maker's words. */
export const xmpPacket = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:drone="http://example.test/drone/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 exif:GPSLatitude="51,30.7617N" drone:GpsLongitude="-0.1277" xmp:CreatorTool="Acme 1.0">
<exif:GPSLongitude>0,7.6650W</exif:GPSLongitude><xmp:Rating>4</xmp:Rating>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** Puts segments behind the start of a JPEG. */
export function withSegments(jpeg: Buffer, ...payloads: Buffer[]): Buffer {
  const segments = payloads.map((payload) =>
    Buffer.concat([Buffer.from([0xff, 0xe1]), number(payload.length + 2, 2, true), payload]),
  );
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

export const exifSegment = (block: Buffer) =>
  Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]);
export const xmpSegment = (packet: string) =>
  Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, 'utf8');

interface Chunk {
  name: string;
  data: Buffer;
}

function chunkBytes({ name, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([number(data.length, 4, true), named, number(crc32(named), 4, true)]);
}

/** Puts chunks behind the header of a PNG. */
export function withChunks(png: Buffer, ...chunks: Chunk[]): Buffer {
  const header = 33;
  return Buffer.concat([png.subarray(0, header), ...chunks.map(chunkBytes), png.subarray(header)]);
}

/** A PNG that claims a size and has no picture. */
export function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.concat([
    number(width, 4, true),
    number(height, 4, true),
    Buffer.from([8, 2, 0, 0, 0]),
  ]);
  const chunks = [
    { name: 'IHDR', data: header },
    { name: 'IDAT', data: deflateSync('') },
    { name: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks.map(chunkBytes)]);
}

export const packedXmpChunk = (packet: string) => ({
  name: 'iTXt',
  data: Buffer.concat([
    Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'),
    deflateSync(packet),
  ]),
});
export const rawProfileChunk = (block: Buffer) => ({
  name: 'zTXt',
  data: Buffer.concat([
    Buffer.from('Raw profile type exif\0\0', 'latin1'),
    deflateSync(
      `\nexif\n${String(block.length).padStart(8)}\n${block.toString('hex').replace(/.{72}/g, '$&\n')}\n`,
    ),
  ]),
});

const box = (name: string, ...parts: (Buffer | string)[]) => {
  const data = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return Buffer.concat([number(data.length + 8, 4, true), Buffer.from(name, 'latin1'), data]);
};

/** A HEIC as phones write it, as far as its header goes: two items, picture and EXIF. The picture's bytes are no picture. */
export function heicPhoto({
  exif,
  width = 4032,
  height = 3024,
  size = 20_000,
}: {
  exif?: Buffer;
  width?: number;
  height?: number;
  size?: number;
}) {
  const versioned = (version = 0) => Buffer.from([version, 0, 0, 0]);
  const item = exif ? Buffer.concat([number(6, 4, true), exifSegment(exif)]) : Buffer.alloc(0);
  const picture = Buffer.alloc(size, 'not a picture ');
  const itemOf = (id: number, name: string) =>
    box('infe', versioned(2), number(id, 2, true), number(0, 2, true), `${name}\0`);
  // A configuration of HEVC's main profile without parameter sets.
  const configuration = Buffer.from('0101600000009000000000005af000fcfdf8f800000f00', 'hex');
  const build = (start: number) => {
    const place = (id: number, at: number, length: number) =>
      Buffer.concat([
        number(id, 2, true),
        number(0, 2, true),
        number(1, 2, true),
        number(at, 4, true),
        number(length, 4, true),
      ]);
    const meta = box(
      'meta',
      versioned(),
      box('hdlr', versioned(), number(0, 4, true), 'pict', Buffer.alloc(13)),
      box('pitm', versioned(), number(1, 2, true)),
      box(
        'iinf',
        versioned(),
        number(exif ? 2 : 1, 2, true),
        itemOf(1, 'hvc1'),
        exif ? itemOf(2, 'Exif') : '',
      ),
      exif
        ? box(
            'iref',
            versioned(),
            box('cdsc', number(2, 2, true), number(1, 2, true), number(1, 2, true)),
          )
        : '',
      box(
        'iprp',
        box(
          'ipco',
          box('hvcC', configuration),
          box('ispe', versioned(), number(width, 4, true), number(height, 4, true)),
        ),
        box(
          'ipma',
          versioned(),
          number(1, 4, true),
          number(1, 2, true),
          Buffer.from([2, 0x81, 0x02]),
        ),
      ),
      box(
        'iloc',
        versioned(),
        Buffer.from([0x44, 0x00]),
        number(exif ? 2 : 1, 2, true),
        place(1, start + item.length, picture.length),
        exif ? place(2, start, item.length) : '',
      ),
    );
    return Buffer.concat([box('ftyp', 'heic', number(0, 4, true), 'mif1heic'), meta]);
  };
  const head = build(build(0).length + 8);
  return Buffer.concat([head, box('mdat', item, picture)]);
}
