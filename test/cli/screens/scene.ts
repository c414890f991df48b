/** The demonstration's facility at noon, a copy for each test, so that no screen shows what another one stored. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { onTestFinished, vi } from 'vitest';
import { fillDay } from '../../../src/cli/commands/demo/day.ts';
import { seedFacility } from '../../../src/cli/commands/demo/setup.ts';
import { type Client, createClient } from '../../../src/client/client.ts';
import { scopes } from '../../../src/contract/scopes.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { startTestService, type TestService } from '../../helpers/service.ts';
import { copyTeam } from '../../helpers/team-copy.ts';

const zone = 'Europe/Berlin';
/** A Monday. */
export const noon = new Date('2026-05-04T10:00:00Z');

export interface Place {
  readonly client: Client;
  readonly key: string;
  /** A folder with photos, in which the command runs. */
  readonly cwd: string;
  env(more?: Record<string, string>): Record<string, string>;
}

export interface Scene {
  readonly service: TestService;
  /** A new one, until the test ends. */
  openPlace(): Promise<Place>;
  close(): Promise<void>;
}

/** Node's own Date header has the day of the machine. */
const answering = 'http.server.request.start';
const answerAtNoon = (message: unknown) =>
  (message as { response: ServerResponse }).response.setHeader('date', noon.toUTCString());

/** The clock of the service and of the commands stands still at noon. */
export async function openScene(): Promise<Scene> {
  const timeZone = process.env.TZ;
  process.env.TZ = zone;
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  subscribe(answering, answerAtNoon);
  const service = await startTestService();
  const original = await service.newTeam();
  const client = createClient({ baseUrl: service.url, key: original.key });
  await seedFacility(client, noon);
  await fillDay(client, noon);
  await client.close();
  let made = 0;
  return {
    service,
    async openPlace() {
      const slug = `place-${++made}`;
      await copyTeam(service, original.team, slug);
      return openPlace(service, slug);
    },
    async close() {
      await service.close();
      unsubscribe(answering, answerAtNoon);
      vi.useRealTimers();
      if (timeZone === undefined) delete process.env.TZ;
      else process.env.TZ = timeZone;
    },
  };
}

async function openPlace(service: TestService, team: string): Promise<Place> {
  const key = await service.keyWith(scopes, team);
  const client = createClient({ baseUrl: service.url, key });
  const cwd = await makeFolder();
  onTestFinished(async () => {
    await client.close();
    await removeFolder(cwd);
  });
  await writeFile(join(cwd, 'front.jpg'), await picture(400, 300));
  await writeFile(join(cwd, 'rear side with the scratch.jpg'), await picture(420, 300));
  await writeFile(join(cwd, 'notes.txt'), 'wash it');
  return {
    client,
    key,
    cwd,
    env: (more) => ({
      CS_BASE_URL: service.url,
      CS_API_KEY: key,
      CS_CONFIG_DIR: join(cwd, '.config'),
      CS_STATE_DIR: join(cwd, '.state'),
      CS_CACHE_DIR: join(cwd, '.cache'),
      NO_COLOR: '1',
      TZ: zone,
      ...more,
    }),
  };
}

/** Of the same bytes each time. */
const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#335577' } })
    .withExif({
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '53/1 32/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '9/1 59/1 0/1',
      },
    })
    .jpeg()
    .toBuffer();
