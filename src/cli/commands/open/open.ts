/** `cs open`: the team dashboard in a browser. The address is the result, so a script or a machine without a browser has it too. */
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { dashboardPages } from '../../../contract/dashboard/pages.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { Argument, type CommandBuilder, suggestValues } from '../../framework/command.ts';
import { isObject } from '../../input/plain-object.ts';
import { resolveId } from '../../resources/lookup.ts';
import { openInBrowser } from './browser.ts';

export const open: CommandBuilder = (command) => {
  command
    .description(
      `Open the team dashboard in a browser: at a page (${dashboardPages.join(', ')}), or at a car. ` +
        'Prints the address, and nothing more where no browser can be started.',
    )
    .addArgument(
      suggestValues(
        new Argument('[page]', 'a page, or a car: plate, nickname, VIN or id').default('board'),
        dashboardPages,
      ),
    );
  command.needs({ part: 'GET /dashboard', otherwise: 'exit 9' });
  command.examples(['cs open', 'cs open keys', 'cs open Greta', 'cs open today -o json']);
  command.handle(async (context, { args: [page] }) => {
    const { io, output, note } = context;
    // A word that names no page names a car.
    const isCar = !dashboardPages.some((name) => name === page);
    // A page needs the address alone: who signs in in the browser may have no key.
    const baseUrl = await (isCar
      ? requireDashboard(await context.client())
      : withoutKey(context, requireDashboard));
    const path = isCar
      ? `cars/${await resolveId(context, { resource: 'cars', text: page })}`
      : page;
    const { href } = new URL(`/dashboard/${path}`, baseUrl);
    await output.value({ url: href }, href);
    if (!io.stdoutIsTerminal) return;
    const opened = await openInBrowser(io, href);
    note(
      opened
        ? 'Opened in the browser.'
        : 'No browser could be started here: open the address where there is one.',
    );
  });
};

async function withoutKey<T>(
  { io, settings }: Context,
  task: (client: Client) => Promise<T>,
): Promise<T> {
  const { connect } = await import('../../framework/connect.ts');
  const client = await connect(io, settings, { baseUrl: settings.connection().baseUrl.value });
  try {
    return await task(client);
  } finally {
    await client.close();
  }
}

/** The address of the server. A dashboard answers that nobody is signed in; a server of another team has none, and may answer anything. */
export async function requireDashboard({ transport }: Client): Promise<string> {
  const missing = (cause?: unknown) =>
    new CliError({
      code: 'operation_missing',
      message: `${transport.baseUrl} has no team dashboard.`,
      hint: 'a dashboard of its own is where the operator of the server says; that of `cs serve` can be switched off with --no-dashboard',
      cause,
    });
  let body: unknown;
  try {
    ({ body } = await transport.request({
      method: 'GET',
      path: '/dashboard/session',
      outsideInterface: true,
    }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'sign_in_required') return transport.baseUrl;
    if (error.code === 'insecure_address')
      throw new CliError({
        code: 'operation_missing',
        message: `${error.message}.`,
        hint: 'tell the operator of the server',
        cause: error,
      });
    throw error.status === 404 ? missing(error) : error;
  }
  if (!isObject(body) || body.data !== null) throw missing();
  return transport.baseUrl;
}
