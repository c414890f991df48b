/** Run by child-service.ts in a process of its own: serves the folder it is given until SIGTERM, and says where on stdout. */
import { startService } from '../../src/service/start.ts';

const service = await startService({ data: process.argv[2] as string, port: 0 });
process.on('SIGTERM', () => service.close());
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
