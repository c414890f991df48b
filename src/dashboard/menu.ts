/** The pages of the menu by role. */
import {
  type DashboardPage,
  dashboardPages,
  screenPages,
  staffPages,
} from '../contract/dashboard/pages.ts';
import type { Role } from '../contract/dashboard/roles.ts';
import { path } from './router.ts';

export const pagesOf: Readonly<Record<Role, readonly DashboardPage[]>> = {
  admin: dashboardPages,
  staff: staffPages,
  screen: screenPages,
};

/** `Board`. */
export const pageTitle = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The entry of the page that is shown. Customers are found among their cars. */
export const menuEntry = (): string | undefined =>
  path.value.split('/')[0]?.replace('customers', 'cars');
