/** Each code that a server refuses with becomes its exit code. test/cli/every-command/answers.test.ts says the same of every command. */
import { afterAll, expect, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { type Behaviour, startMisbehavingServer } from '../../helpers/misbehaving-server.ts';
import { refusals } from '../../helpers/refusals.ts';

let refuse: Behaviour;
const server = await startMisbehavingServer(() => refuse);
afterAll(() => server.close());

test.each(refusals)('$what is exit $exit', async ({ behaviour, exit }) => {
  refuse = behaviour;
  const { code, stdout, error } = await cs(['api', 'GET', '/cars', '--retries', '0'], {
    env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b' },
  });
  expect([code, error.exitCode, stdout]).toEqual([exit, exit, '']);
});
