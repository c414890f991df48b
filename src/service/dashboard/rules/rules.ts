import type { DashboardName } from '../../../contract/dashboard/dashboard.ts';
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
import type { DashboardRulesOf } from './rule.ts';

export const rules: { readonly [N in DashboardName]: DashboardRulesOf<N> } = {
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
};
