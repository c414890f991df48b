/** `cs cars photos add` as a whole process, against `curl --parallel` with the same bodies, and against the image library alone. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Admin } from '../../src/service/admin.ts';
import type { Place } from '../../src/service/database/open.ts';
import { openStores } from '../../src/service/stores.ts';
import { bin } from '../helpers/built.ts';
import { chromium } from '../helpers/chromium.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startService } from './child.ts';
import { type Figure, inTurns, memory, time } from './figures.ts';
import { measurePhone } from './phone.ts';
import { seedTeam } from './seed.ts';

interface Options {
  /** Photos of 3 MB. */
  readonly count: number;
  /** Photos of 12 megapixels. */
  readonly large: number;
  readonly rounds: number;
  readonly say: (what: string) => void;
}

const parallel = 4;
const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export async function measurePhotos(options: Options): Promise<Figure[]> {
  const folder = await makeFolder();
  try {
    return [
      ...(await measureUploads(folder, options)),
      ...(await measureShrinking(folder, options)),
      // A machine may have no browser.
      ...(chromium === undefined ? [] : await measureFromPhone(folder, options)),
    ];
  } finally {
    await removeFolder(folder);
  }
}

async function measureUploads(folder: string, { count, rounds, say }: Options): Promise<Figure[]> {
  const data = join(folder, 'data');
  const team = await seed({ data });
  const service = await startService({ data });
  const image = await noise(2050, 1540, 97);
  let car = 0;
  /** The same bytes for both would be stored by the first alone. */
  const prepare = async (photos: number) => {
    const shots = join(folder, `shots-${car}`);
    await mkdir(shots);
    const carId = team.carIds[car++] as string;
    for (let n = 0; n < photos; n++)
      await writeFile(join(shots, `${n}.jpg`), Buffer.concat([image, randomBytes(16)]));
    return { shots, carId };
  };
  const ours = async (photos: number) => {
    const { shots, carId } = await prepare(photos);
    const measured = await runCs(
      ['cars', 'photos', 'add', carId, shots, '--parallel', String(parallel)],
      {
        folder,
        url: service.url,
        key: team.key,
      },
    );
    await rm(shots, { recursive: true });
    return measured;
  };
  const curl = async () => {
    const { shots, carId } = await prepare(0);
    const uploads: Request[] = [];
    for (let n = 0; n < count; n++)
      uploads.push(await uploadRequest(shots, { ...service, ...team, carId, name: `${n}`, image }));
    const ms = await runCurl(shots, uploads);
    await rm(shots, { recursive: true });
    return ms;
  };
  let peakMemory = 0;
  try {
    await ours(2);
    const compared = await inTurns(
      rounds,
      async () => {
        const { ms, memory: used } = await ours(count);
        peakMemory = Math.max(peakMemory, used);
        return ms;
      },
      curl,
    );
    say(`${count} photos: ${compared.ours.toFixed(0)} ms, curl ${compared.other.toFixed(0)} ms`);
    return [
      time(`cs cars photos add, ${count} photos of 3 MB`, compared, {
        than: 'curl --parallel, the same bodies',
        target: { least: 0.8 },
      }),
      memory('memory of that at its most', peakMemory, 250),
    ];
  } finally {
    await service.stop();
  }
}

/** Lines of curl's configuration. */
type Request = readonly string[];

interface Upload {
  readonly url: string;
  readonly key: string;
  readonly carId: string;
  readonly name: string;
  readonly image: Buffer;
}

/** Of a photo like `image`, with bytes of its own. Writes its body into the folder. */
export async function uploadRequest(
  folder: string,
  { url, key, carId, name, image }: Upload,
): Promise<Request> {
  const base64 = Buffer.concat([image, randomBytes(16)]).toString('base64');
  const body = join(folder, `${name}.json`);
  await writeFile(
    body,
    JSON.stringify({ filename: `${name}.jpg`, contentType: 'image/jpeg', base64 }),
  );
  return [
    `url = "${url}/api/v1/cars/${carId}/photos"`,
    `header = "x-api-key: ${key}"`,
    'header = "content-type: application/json"',
    `header = "idempotency-key: ${carId}-${name}"`,
    `data-binary = "@${body}"`,
  ];
}

/** What curl takes for all of them. */
export async function runCurl(folder: string, requests: readonly Request[]): Promise<number> {
  const config = join(folder, 'curl.txt');
  const each = requests.map((lines) => [...lines, 'output = /dev/null'].join('\n'));
  await writeFile(config, each.join('\nnext\n'));
  const flags = [
    '--parallel',
    '--parallel-max',
    `${parallel}`,
    '--silent',
    '--show-error',
    '--fail',
  ];
  return (await timed('curl', [...flags, '-K', config])).ms;
}

async function measureFromPhone(folder: string, { large }: Options): Promise<Figure[]> {
  const data = join(folder, 'phone-data');
  const team = await seed({ data });
  const service = await startService({ data });
  try {
    return await measurePhone(large, {
      folder,
      url: service.url,
      key: team.key,
      carId: team.carIds[0] as string,
    });
  } finally {
    await service.stop();
  }
}

async function measureShrinking(
  folder: string,
  { large, rounds, say }: Options,
): Promise<Figure[]> {
  const shots = join(folder, 'large');
  await mkdir(shots);
  // Soft as a real photo, so that the first encoding fits as it does for those.
  const soft = await sharp(await noise(1008, 756, 90))
    .resize(4032, 3024)
    .jpeg({ quality: 97 })
    .toBuffer();
  for (let n = 0; n < large; n++)
    await writeFile(join(shots, `${n}.jpg`), Buffer.concat([soft, randomBytes(16)]));
  const server = await startScript('photos-script.ts');
  const argv = ['cars', 'photos', 'add', '00000000-0000-7000-8000-000000000000', shots];
  let peakMemory = 0;
  try {
    const compared = await inTurns(
      rounds,
      async () => {
        const { ms, memory: used } = await runCs([...argv, '--parallel', String(parallel)], {
          folder,
          url: server.url,
          key: 'csk_bench.secret',
        });
        peakMemory = Math.max(peakMemory, used);
        return ms;
      },
      async () => (await timed(process.execPath, [scriptOf('shrink-script.mjs'), shots])).ms,
    );
    say(`${large} large: ${compared.ours.toFixed(0)} ms, sharp ${compared.other.toFixed(0)} ms`);
    return [
      time(`shrinking ${large} photos of 12 megapixels`, compared, {
        than: 'sharp alone, all processors',
        target: { least: 0.8 },
      }),
      memory('memory of that at its most', peakMemory, 250),
    ];
  } finally {
    server.stop();
  }
}

export async function seed(
  place: Place,
): Promise<{ readonly key: string; readonly carIds: readonly string[] }> {
  const stores = await openStores(place);
  try {
    const admin: Admin = { ...stores, actor: 'bench' };
    return await seedTeam(admin, { name: 'Photos', rows: 1 });
  } finally {
    await stores.database.close();
  }
}

export const noise = (width: number, height: number, quality: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality })
    .toBuffer();

interface Caller {
  /** For everything that it keeps. */
  readonly folder: string;
  readonly url: string;
  readonly key: string;
}

/** For a command that belongs to nobody else. */
export const environmentFor = ({ folder, url, key }: Caller) => ({
  PATH: process.env.PATH ?? '',
  CS_CONFIG_DIR: folder,
  CS_CACHE_DIR: folder,
  CS_STATE_DIR: folder,
  CS_BASE_URL: url,
  CS_API_KEY: key,
});

/** The command, with the most memory that it has had. */
async function runCs(argv: readonly string[], { folder, url, key }: Caller) {
  const tell = new URL('tell-memory.mjs', import.meta.url).href;
  const { ms, stderr } = await timed(
    process.execPath,
    ['--import', tell, bin, ...argv],
    environmentFor({ folder, url, key }),
  );
  return { ms, memory: Number(stderr.split(' ').at(-1)) * 1024 };
}

async function timed(
  program: string,
  argv: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<{ ms: number; stderr: string }> {
  const begun = performance.now();
  const child = spawn(program, argv, {
    env: env ?? process.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr}`);
  return { ms: performance.now() - begun, stderr };
}

async function startScript(name: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [scriptOf(name)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: JSON.parse(line).url, stop: () => void child.kill() };
}
