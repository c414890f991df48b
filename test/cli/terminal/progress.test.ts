/** What a terminal shows while something takes its time: the texts of the spinner, in their order. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility, png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { startTestService } from '../../helpers/service.ts';

const shown: string[] = [];
vi.mock('ora', () => ({
  default({ text }: { text: string }) {
    const note = (next: string) => shown.at(-1) !== `  ${next}` && shown.push(`  ${next}`);
    note(text);
    return {
      start: () => ({
        set text(next: string) {
          note(next);
        },
        stop: () => {},
      }),
    };
  },
}));

const service = await startTestService();
const cwd = await makeFolder();
afterAll(async () => {
  await service.close();
  await removeFolder(cwd);
});

test('what is shown while a command works', async () => {
  const make = facility(service);
  const { id: locationId } = await make.location();
  for (const name of ['A1', 'A2']) await make.spot(locationId, { name });
  await make.car({ nickname: 'Greta' });
  for (const n of [1, 2, 3]) {
    await make.customer();
    await writeFile(join(cwd, `${n}.png`), png(n));
  }
  await writeFile(join(cwd, 'people.csv'), 'lastName\nLee\nRay\n');
  const data = ['--data', service.data];
  for (const line of [
    ['dropoff', '--car', 'Greta', '--type', 'drop_off', '--spot', 'A1', '--photo', '3.png', '-y'],
    ['move', 'Greta', '--spot', 'A2', '-y'],
    ['export', 'cars', 'customers', '--to', 'out'],
    ['sync', 'cars', 'customers', '--to', 'mirror.db'],
    ['sync', 'verify', 'mirror.db'],
    ['watch', 'cars', '--once'],
    ['import', 'customers', 'people.csv'],
    ['cars', 'photos', 'add', 'Greta', '1.png', '2.png', '--parallel', '1', '--verify'],
    ['cars', 'photos', 'verify', 'Greta', '1.png', '2.png'],
    ['cars', 'photos', 'download', 'Greta', '--to', 'photos'],
    ['cars', 'photos', 'missing'],
    ['assets', 'upload', '1.png'],
    ['assets', 'download', '--all', '--to', 'assets'],
    ['report', 'Greta'],
    ['admin', 'check', ...data],
    ['admin', 'backup', 'backup', ...data],
    ['admin', 'restore', 'backup', '--data', 'restored'],
  ]) {
    shown.push(`$ cs ${line.join(' ').replace(service.data, 'DATA')}`);
    const { code, stderr } = await cs(line, {
      as: 'terminal',
      env: {
        CS_BASE_URL: service.url,
        CS_API_KEY: service.key,
        CS_STATE_DIR: join(cwd, 'state'),
        CS_PHOTOS_DROP_OFF: 'front',
        TERM: 'xterm',
      },
      cwd,
      now: new Date('2050-05-02T10:00:00Z'),
    });
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)]);
  }
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('progress.txt');
});
