/** Answers lists of cars as fast as it can, so that who asks is what is measured: texts made of one record, each with an id of its own. */
import { createServer } from 'node:http';

const [total = 0, owners = 500] = process.argv.slice(2).map(Number);
const idOf = (kind: number, n: number): string =>
  `0${kind}a1f804-25ad-7574-ba20-${n.toString(16).padStart(12, '0')}`;
const at = '2026-11-20T09:00:00.000Z';
/** When the first one changed, so that few have changed since then. */
const last = '2026-11-20T09:00:01.000Z';
const [head = '', middle = '', beforeUpdated = '', tail = ''] = JSON.stringify({
  id: '|',
  teamId: idOf(9, 1),
  year: 1973,
  make: 'Porsche',
  model: '911 Carrera RS',
  trim: 'Touring',
  color: 'Signal yellow',
  vin: null,
  licensePlate: 'WN AB 123',
  licensePlateRegion: 'DE',
  nickname: null,
  mileage: 48_210,
  customerId: '|',
  locationId: null,
  status: 'stored',
  parkingSpotId: null,
  parkingZoneId: null,
  notes: 'Keys are in the box. Says the left rear tyre loses air: "have a look, please".',
  createdAt: at,
  updatedAt: '|',
}).split('|');

function carsOf(page: number, limit: number, count: number): string {
  const first = (page - 1) * limit;
  const rows = Array.from(
    { length: Math.max(0, Math.min(limit, count - first)) },
    (_, n) => first + n,
  );
  return rows
    .map(
      (n) =>
        head +
        idOf(1, n) +
        middle +
        idOf(2, n % owners) +
        beforeUpdated +
        (n === 0 ? last : at) +
        tail,
    )
    .join();
}

const ownerOf = (id: string) =>
  JSON.stringify({
    id,
    firstName: 'Ada',
    lastName: `Lovelace ${Number.parseInt(id.slice(-12), 16)}`,
  });

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const ids = searchParams.get('ids')?.split(',');
  const [page, limit] = [
    Number(searchParams.get('page') ?? 1),
    Number(searchParams.get('limit') ?? 50),
  ];
  const since = searchParams.get('updatedAfter');
  const count = since === null || since <= at ? total : since <= last ? 1 : 0;
  const data =
    pathname === '/api/v1/customers' ? (ids ?? []).map(ownerOf).join() : carsOf(page, limit, count);
  response.setHeader('content-type', 'application/json');
  response.end(
    pathname.startsWith('/api/v1/cars/')
      ? `{"data":${carsOf(1, 1, 1)}}`
      : `{"data":[${data}],"page":${page},"limit":${limit},"total":${ids ? ids.length : count}}`,
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address)
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}` })}\n`);
});
