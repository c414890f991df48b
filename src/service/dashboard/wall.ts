/** Keeps screens to what a wall shows: its lists, with its fields and filters. */
import type { FastifyInstance } from 'fastify';
import { wallLists } from '../../contract/dashboard/wall.ts';
import { listParameters } from '../../contract/schemas.ts';
import { readQuery } from '../http/request.ts';
import { ApiProblem } from '../problem.ts';
import type { Row } from '../records.ts';

/** By operation. */
const lists = new Map(Object.entries(wallLists).map(([name, list]) => [`${name}.list`, list]));

/** For the routes of the scope that read the public interface. */
export function keepScreensToWall(scope: FastifyInstance): void {
  scope.addHook('preHandler', async ({ session, routeOptions, url }) => {
    if (session?.role !== 'screen') return;
    const list = lists.get(routeOptions.config.operation ?? '');
    if (!list)
      throw new ApiProblem('role_needed', 'A screen shows the board and today, and reads no more');
    const other = Object.keys(readQuery(url)).find(
      (name) => !(name in listParameters) && !list.filters.includes(name),
    );
    if (other !== undefined)
      throw new ApiProblem('role_needed', `A screen doesn't read this list by ${other}`);
  });
  scope.addHook('onSend', async ({ session, routeOptions }, reply, payload) => {
    if (session?.role !== 'screen' || reply.statusCode !== 200) return payload;
    const { fields = [] } = lists.get(routeOptions.config.operation ?? '') ?? {};
    const { data, ...page } = JSON.parse(payload as string) as { data: Row[] };
    const shown = data.map((record) =>
      Object.fromEntries(fields.map((field) => [field, record[field]])),
    );
    return JSON.stringify({ data: shown, ...page });
  });
}
