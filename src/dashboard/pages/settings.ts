/** Accounts and what they did. */
import type { VNode } from 'preact';
import { type Child, h } from '../h.ts';
import { Page } from '../parts/page.ts';
import { path } from '../router.ts';
import { AdminsPart } from './settings-admins.ts';
import { AuditPart } from './settings-audit.ts';
import { PasswordPart } from './settings-password.ts';
import { ScreensPart } from './settings-screens.ts';
import { SessionsPart } from './settings-sessions.ts';

const parts: readonly { readonly name: string; readonly title: string; readonly part: () => Child }[] = [
  { name: 'admins', title: 'Admins', part: () => h(AdminsPart, {}) },
  { name: 'screens', title: 'Screens', part: () => h(ScreensPart, {}) },
  { name: 'sessions', title: 'Sessions', part: () => h(SessionsPart, {}) },
  { name: 'audit', title: 'Audit log', part: () => h(AuditPart, {}) },
  { name: 'password', title: 'My password', part: () => h(PasswordPart, {}) },
];

export function SettingsPage(): VNode {
  const name = path.value.split('/')[1] ?? 'admins';
  const current = parts.find((one) => one.name === name);
  return h(
    Page,
    { title: current && name !== 'admins' ? `Settings: ${current.title.toLowerCase()}` : 'Settings' },
    h(
      'nav',
      { 'aria-label': 'Settings' },
      h(
        'ul',
        { class: 'tabs' },
        ...parts.map((one) =>
          h(
            'li',
            { key: one.name },
            h('a', { href: `/dashboard/settings/${one.name}`, 'aria-current': one.name === name ? 'page' : undefined }, one.title),
          ),
        ),
      ),
    ),
    current?.part(),
  );
}
