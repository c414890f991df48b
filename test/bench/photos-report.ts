/** The figures of photos as a table, and as a section of the documentation. */
import type { PhoneResult } from './phone.ts';
import type { PhotosResult } from './photos.ts';
import { machine, markdownTable, mega, whole } from './words.ts';

const least = 0.9;
/** How much more memory four times as many photos may need. */
const flat = 1.25;

const mostPhone = { ms: 15_000, memory: 200 * 1024 * 1024 };

const verdict = (ok: boolean): string => (ok ? 'ok' : '**short**');

export function photosTable({ uploads, shrinking, phone }: PhotosResult): string {
  const [upload, shrink] = [uploads.curlMs / uploads.oursMs, shrinking.floorMs / shrinking.oursMs];
  const growth = uploads.peakMemory / uploads.quarterMemory;
  return markdownTable([
    ['whole process', 'ours', 'floor', '', 'ratio', 'target', ''],
    [
      `cs cars photos add, ${whole(uploads.count)} photos of 3 MB`,
      `${whole(uploads.oursMs)} ms`,
      `${whole(uploads.curlMs)} ms`,
      'curl --parallel, the same bodies',
      upload.toFixed(2),
      `at least ${least}`,
      verdict(upload >= least),
    ],
    [
      'memory of that at its most',
      mega(uploads.peakMemory),
      mega(uploads.quarterMemory),
      'a quarter of the photos',
      growth.toFixed(2),
      `at most ${flat}`,
      verdict(growth <= flat),
    ],
    [
      `shrinking ${whole(shrinking.count)} photos of 12 megapixels`,
      `${whole(shrinking.oursMs)} ms`,
      `${whole(shrinking.floorMs)} ms`,
      'sharp alone, all processors',
      shrink.toFixed(2),
      `at least ${least}`,
      verdict(shrink >= least),
    ],
    ['memory of that at its most', mega(shrinking.peakMemory), '', '', '', '', ''],
    ...(phone ? phoneRows(phone) : []),
  ]);
}

const phoneRows = ({ count, ms, peakMemory }: PhoneResult) => [
  [
    `${count} photos of 5 MB from a phone at 100 Mbit/s, to the counter`,
    `${whole(ms)} ms`,
    ...['', '', '', `at most ${whole(mostPhone.ms)} ms`],
    verdict(ms <= mostPhone.ms),
  ],
  [
    'memory of the counter at its most',
    mega(peakMemory),
    ...['', '', '', `at most ${mega(mostPhone.memory)}`],
    verdict(peakMemory <= mostPhone.memory),
  ],
];

export const photosSection = (
  result: PhotosResult,
): string => `Results of the last run of \`npm run bench -- --only photos\`, which writes this section (a full run writes it, too): ${machine()}.

Each figure is for a whole process from start to end: the median of three rounds, alternating with its **floor** in the same run, four uploads at a time.
The service runs in a process of its own on the same processors, and its time is in both. The bodies for curl are written before; \`cs\` reads, hashes, checks and encodes the photos, and keeps its journal.
Shrinking sends the photos to a server that drops them; its floor is a loop over the same encodings.
The phone is a browser with a phone's viewport and a network of 100 Mbit/s, on the same processors; the memory is that of the whole command, which prepares and uploads the photos, too.

${photosTable(result)}
`;
