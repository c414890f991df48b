/** Accounts and what they did. */
import type { VNode } from 'preact';
import { type SettingsPart, settingsParts } from '../../contract/dashboard/pages.ts';
import { type Child, h } from '../h.ts';
import { Page } from '../parts/page.ts';
import { path } from '../router.ts';
import { AdminsPart } from './settings-admins.ts';
import { AuditPart } from './settings-audit.ts';
import { PasswordPart } from './settings-password.ts';
import { ScreensPart } from './settings-screens.ts';
import { SessionsPart } from './settings-sessions.ts';

const parts: Readonly<
  Record<SettingsPart, { readonly title: string; readonly part: () => Child }>
> = {
  admins: { title: 'Admins', part: () => h(AdminsPart, {}) },
  screens: { title: 'Screens', part: () => h(ScreensPart, {}) },
  sessions: { title: 'Sessions', part: () => h(SessionsPart, {}) },
  audit: { title: 'Audit log', part: () => h(AuditPart, {}) },
  password: { title: 'My password', part: () => h(PasswordPart, {}) },
};

export function SettingsPage(): VNode {
  const asked = path.value.split('/')[1];
  const name = settingsParts.find((part) => part === asked) ?? settingsParts[0];
  const { title, part } = parts[name];
  return h(
    Page,
    { title: name === settingsParts[0] ? 'Settings' : `Settings: ${title.toLowerCase()}` },
    h(
      'nav',
      { 'aria-label': 'Settings' },
      h(
        'ul',
        { class: 'tabs' },
        ...settingsParts.map((one) =>
          h(
            'li',
            { key: one },
            h(
              'a',
              {
                href: `/dashboard/settings/${one}`,
                'aria-current': one === name ? 'page' : undefined,
              },
              parts[one].title,
            ),
          ),
        ),
      ),
    ),
    part(),
  );
}
