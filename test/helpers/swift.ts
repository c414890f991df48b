/** OpenStack Swift with its S3 interface, as one machine: a server each for objects, containers and accounts, and the one that speaks S3. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import type { S3Place } from '../../src/service/files/s3.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { toolsAreRequired } from './tools.ts';

const binary = (name: string): string => `/usr/bin/swift-${name}`;
const kinds = ['object', 'container', 'account'] as const;

/** Whether Swift is installed (Debian: swift-proxy, swift-account, swift-container, swift-object), or required. */
export const withSwift: boolean = toolsAreRequired || existsSync(binary('proxy-server'));

if (!withSwift) console.warn('Tests of S3 stores are skipped: OpenStack Swift is not installed');

export interface Swift {
  /** A new, empty bucket, with a key that may use it. */
  newPlace(prefix?: string): Promise<S3Place>;
  /** Of a place: what a test does to the store behind the service's back. */
  client(place: S3Place): AwsClient;
  stop(): Promise<void>;
}

const [user, secret, region] = ['test:tester', 'testing', 'us-east-1'];

export async function startSwift(): Promise<Swift> {
  const folder = await makeFolder();
  const children: ChildProcess[] = [];
  // Also when the tests are ended from outside.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const stop = async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    await removeFolder(folder);
  };
  try {
    const endpoint = await startServers(folder, children);
    return { ...accessTo(endpoint), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServers(folder: string, children: ChildProcess[]): Promise<string> {
  for (const name of ['disks/one', 'cache']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = of\nswift_hash_path_prefix = tests\n[storage-policy:0]\nname = only\ndefault = yes\n',
  );
  // Swift reads this one from /etc; its rings and settings from here.
  const launcher = join(folder, 'launch.py');
  await writeFile(
    launcher,
    `import os, runpy, sys
from swift.common import utils
utils.SWIFT_CONF_FILE = os.path.join(sys.argv[1], 'swift.conf')
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name='__main__')
`,
  );
  const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', SWIFT_CONF_DIR: folder };
  const ports = await Promise.all(kinds.map(() => freePort()));
  await writeFile(
    join(folder, 'rings.py'),
    `import sys
from swift.common.ring import RingBuilder
for kind, port in zip(sys.argv[1::2], sys.argv[2::2]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'ip': '127.0.0.1', 'port': int(port), 'device': 'one', 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(kind + '.ring.gz')
`,
  );
  await promisify(execFile)(
    '/usr/bin/python3',
    ['rings.py', ...kinds.flatMap((kind, n) => [kind, String(ports[n])])],
    { cwd: folder, env: environment },
  );
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${process.env.USER ?? 'root'}\nswift_dir = ${folder}\nworkers = 0\nlog_level = ERROR\n`;
  const start = async (kind: string, port: number, settings: string) => {
    const path = join(folder, `${kind}.conf`);
    await writeFile(path, `${common(port)}${settings}`);
    const words = [launcher, folder, binary(`${kind}-server`), path];
    const log = join(folder, `${kind}.log`);
    const child = spawn(
      '/bin/sh',
      ['-c', `exec /usr/bin/python3 "$@" >'${log}' 2>&1`, 'sh', ...words],
      {
        env: environment,
        stdio: 'ignore',
      },
    );
    children.push(child);
    await untilAnswering(`http://127.0.0.1:${port}/healthcheck`, child, log);
  };
  const storage = kinds.map((kind, n) =>
    start(
      kind,
      ports[n] as number,
      `devices = ${folder}/disks\nmount_check = false\nrecon_cache_path = ${folder}/cache
[pipeline:main]\npipeline = healthcheck ${kind}-server
[filter:healthcheck]\nuse = egg:swift#healthcheck
[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    ),
  );
  const filters = {
    catch_errors: '',
    gatekeeper: '',
    healthcheck: '',
    cache: 'memcache_servers = 127.0.0.1:1',
    listing_formats: '',
    s3api: `location = ${region}`,
    tempauth: `user_${user.replace(':', '_')} = ${secret} .admin`,
    copy: '',
    slo: '',
  };
  const sections = Object.entries(filters).map(
    ([name, settings]) =>
      `[filter:${name}]\nuse = egg:swift#${name === 'cache' ? 'memcache' : name}\n${settings}\n`,
  );
  const port = await freePort();
  const proxy = start(
    'proxy',
    port,
    `[pipeline:main]\npipeline = ${Object.keys(filters).join(' ')} proxy-server
[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${sections.join('')}`,
  );
  await Promise.all([...storage, proxy]);
  return `http://127.0.0.1:${port}`;
}

async function untilAnswering(url: string, child: ChildProcess, log: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null)
      throw new Error(`Swift ended at its start: ${await readFile(log, 'utf8')}`);
    await wait(50);
  }
}

function accessTo(endpoint: string): Omit<Swift, 'stop'> {
  let buckets = 0;
  const client = ({ accessKeyId, secretAccessKey }: S3Place) =>
    new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  return {
    client,
    async newPlace(prefix = 'files') {
      const key = { accessKeyId: user, secretAccessKey: secret };
      const place = { bucket: `bucket-${++buckets}`, prefix, endpoint, region, ...key };
      const made = await client(place).fetch(`${endpoint}/${place.bucket}`, { method: 'PUT' });
      if (!made.ok)
        throw new Error(`The bucket was not created: ${made.status} ${await made.text()}`);
      return place;
    },
  };
}
