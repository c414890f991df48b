/** The pages of the dashboard by their addresses, in the order of its menu. */
export const dashboardPages = [
  'board',
  'today',
  'cars',
  'occupancy',
  'keys',
  'usage',
  'settings',
] as const;
export type DashboardPage = (typeof dashboardPages)[number];

/** The pages of staff: of the settings, their own password alone. */
export const staffPages: readonly DashboardPage[] = ['board', 'today', 'cars', 'settings'];

/** The pages that a screen on a wall may show. */
export const screenPages: readonly DashboardPage[] = ['board', 'today'];

/** The parts of the settings, each at `settings/` and its name. The first is at `settings` as well. */
export const settingsParts = ['admins', 'screens', 'sessions', 'audit', 'password'] as const;
export type SettingsPart = (typeof settingsParts)[number];
