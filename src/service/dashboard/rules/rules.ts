import type { DashboardName } from '../../../contract/dashboard/dashboard.ts';
import { adminLinks, admins, audit, screenLinks, screens, sessions } from './accounts.ts';
import { covers, ownedCars } from './covers.ts';
import { integration, keys } from './keys.ts';
import { occupancy, usage } from './plots.ts';
import type { DashboardRulesOf } from './rule.ts';

export const rules: { readonly [N in DashboardName]: DashboardRulesOf<N> } = {
  keys,
  integration,
  admins,
  adminLinks,
  screens,
  screenLinks,
  sessions,
  audit,
  usage,
  occupancy,
  covers,
  ownedCars,
};
