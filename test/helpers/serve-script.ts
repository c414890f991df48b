/** Run by child-service.ts in a separate process: serves the given folder (and database) until SIGTERM, and prints its address on stdout. */
import { flushCompileCache } from 'node:module';
import { smtpTransport } from '../../src/service/outbox/smtp.ts';
import { readSmtpUrl } from '../../src/service/outbox/smtp-settings.ts';
import { startService } from '../../src/service/start.ts';

const [, , data = '', database, smtp, files] = process.argv;
const from = { name: 'The Garage', address: 'office@garage.example' };
const transport = smtp ? smtpTransport({ server: readSmtpUrl(smtp), from }) : undefined;
const service = await startService({
  data,
  database: database || undefined,
  port: 0,
  rateLimits: false,
  transport,
  ...(files && { files: JSON.parse(files), deletions: { graceMs: 0, pollMs: 50 } }),
});
// Now, since most of these processes are killed.
flushCompileCache();
process.on('SIGTERM', () => service.close());
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
