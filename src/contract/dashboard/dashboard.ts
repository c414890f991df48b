/**
 * What the dashboard's page asks for beyond the public interface, below `/dashboard/api/v1`. Sessions of team admins alone open it; no key does.
 * Public documents and clients don't contain it.
 */
import type { CreateOf, RecordOf, UpdateOf } from '../resource.ts';
import {
  adminLinks,
  admins,
  audit,
  phoneLinks,
  screenLinks,
  screens,
  sessions,
} from './accounts.ts';
import { covers, photoNames } from './covers.ts';
import { integration, keys } from './keys.ts';
import { occupancy, usage } from './plots.ts';

export const dashboardContract = {
  keys,
  integration,
  admins,
  adminLinks,
  phoneLinks,
  screens,
  screenLinks,
  sessions,
  audit,
  usage,
  occupancy,
  covers,
  photoNames,
} as const;

export type DashboardContract = typeof dashboardContract;
export type DashboardName = keyof DashboardContract;
export type DashboardRecord<N extends DashboardName> = RecordOf<DashboardContract[N]>;
export type DashboardCreate<N extends DashboardName> = CreateOf<DashboardContract[N]>;
export type DashboardUpdate<N extends DashboardName> = UpdateOf<DashboardContract[N]>;
