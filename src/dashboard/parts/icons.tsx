/** Signs of the pages, as lines. They say nothing that the text beside them doesn't. */
import type { DashboardPage } from '../../contract/dashboard/pages.ts';

const lines = {
  board: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  today: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M8 14h3v3H8z',
  cars: 'M3 16v-3l2-1 2.5-5h9L19 12l2 1v3h-2M9 16h6M5 12h14M7 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  occupancy: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  keys: 'M8 20a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 13l8-8M16 8l3 3M14 10l2 2',
  usage: 'M4 20h16M6 20v-7M11 20V9M16 20V4',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  more: 'M5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM19 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2z',
  leave: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20',
  next: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  close: 'M5 5l14 14M19 5L5 19',
} as const satisfies Record<DashboardPage, string> & Record<string, string>;
export type IconName = keyof typeof lines;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
    <path d={lines[name]} />
  </svg>
);
