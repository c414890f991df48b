import { json, startMisbehavingServer } from './misbehaving-server.ts';

export interface Stored {
  readonly id: string;
  readonly updatedAt: string | null;
  readonly [field: string]: unknown;
}

/** A server of another team that heeds `ids` and `updatedAfter`; `before` runs before each page of a list. */
export async function startListServer() {
  const own = {
    rows: [] as Stored[],
    before: (_page: number): unknown => undefined,
    date: '2026-01-01T12:00:30.000Z',
  };
  const server = await startMisbehavingServer(({ url }) => (response, request) => {
    void (async () => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      if (pathname.endsWith('/me'))
        return json(404, { error: 'not here', code: 'route_not_found' })(response, request);
      const page = Number(searchParams.get('page') ?? 1);
      await own.before(page);
      const after = searchParams.get('updatedAfter');
      const found = own.rows
        .filter(({ updatedAt }) => !after || (updatedAt !== null && updatedAt >= after))
        .sort((a, b) => (String(a.updatedAt) < String(b.updatedAt) ? 1 : -1));
      const limit = Number(searchParams.get('limit'));
      const data = found.slice((page - 1) * limit, page * limit);
      const headers = { date: new Date(own.date).toUTCString() };
      json(200, { data, page, limit, total: found.length }, headers)(response, request);
    })();
  });
  const { url, requests } = server;
  return Object.assign(own, { url, requests, close: () => server.close() });
}
/** The first of `count` changed last. */
export const rows = (count: number, others: object = {}): Stored[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `c${String(index).padStart(3, '0')}`,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 10) - index * 60_000).toISOString(),
    ...others,
  }));
