/** Photos through the service to an S3 store and back, against the same client at the store alone. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startSwift, withSwift } from '../helpers/swift.ts';
import { startService } from './child.ts';
import { type Figure, inTurns, time } from './figures.ts';
import { noise, runCurl, seed, uploadRequest } from './photos.ts';

interface Options {
  /** Photos of 3 MB. */
  readonly count: number;
  readonly rounds: number;
  readonly say: (what: string) => void;
}

/** No figures on a machine without a store. */
export async function measureStore({ count, rounds, say }: Options): Promise<Figure[]> {
  if (!withSwift) return [];
  const folder = await makeFolder();
  const swift = await startSwift();
  try {
    const place = { data: join(folder, 'data'), files: await swift.newPlace() };
    const { key, carIds } = await seed(place);
    const service = await startService(place);
    const image = await noise(2050, 1540, 97);
    const numbers = Array.from({ length: count }, (_, n) => `${n}`);
    const client = swift.client(place.files);
    /** Its own objects, beside those of the service. */
    const signed = async (method: 'GET' | 'PUT', name: string) => {
      const url = `${place.files.endpoint}/${place.files.bucket}/alone/${name}`;
      return `url = "${(await client.sign(url, { method, aws: { signQuery: true } })).url}"`;
    };
    let round = 0;
    const shots = async () => {
      const made = join(folder, `shots-${round++}`);
      await mkdir(made);
      return made;
    };
    let carId = '';
    const upload = async () => {
      const made = await shots();
      carId = carIds[round] as string;
      const requests = [];
      for (const name of numbers)
        requests.push(await uploadRequest(made, { url: service.url, key, carId, name, image }));
      const ms = await runCurl(made, requests);
      await rm(made, { recursive: true });
      return ms;
    };
    const uploadAlone = async () => {
      const made = await shots();
      const requests = [];
      for (const name of numbers) {
        const path = join(made, name);
        await writeFile(path, Buffer.concat([image, randomBytes(16)]));
        requests.push([await signed('PUT', name), `upload-file = "${path}"`]);
      }
      const ms = await runCurl(made, requests);
      await rm(made, { recursive: true });
      return ms;
    };
    const download = async () => {
      const photos = `${service.url}/api/v1/cars/${carId}/photos`;
      const answer = await fetch(`${photos}?limit=200`, { headers: { 'x-api-key': key } });
      const { data } = (await answer.json()) as { data: readonly { id: string }[] };
      if (data.length !== count) throw new Error(`${data.length} of ${count} photos are there`);
      return runCurl(
        folder,
        data.map(({ id }) => [`url = "${photos}/${id}/content"`, `header = "x-api-key: ${key}"`]),
      );
    };
    const downloadAlone = async () =>
      runCurl(folder, await Promise.all(numbers.map(async (name) => [await signed('GET', name)])));
    try {
      await upload();
      const figure = async (
        what: string,
        ...both: [() => Promise<number>, () => Promise<number>]
      ) => {
        const compared = await inTurns(rounds, ...both);
        say(`${what}: ${compared.ours.toFixed(0)} ms, curl ${compared.other.toFixed(0)} ms`);
        return time(`${what} of ${count} photos of 3 MB, on S3`, compared, {
          than: 'curl --parallel to the store alone',
        });
      };
      return [
        await figure('upload', upload, uploadAlone),
        await figure('download', download, downloadAlone),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await swift.stop();
    await removeFolder(folder);
  }
}
