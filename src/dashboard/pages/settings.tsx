/** Accounts and what they did. */
import type { VNode } from 'preact';
import { type SettingsPart, settingsParts } from '../../contract/dashboard/pages.ts';
import { Page } from '../parts/page.tsx';
import { path } from '../router.ts';
import { session } from '../session.ts';
import { AuditPart } from './settings-audit.tsx';
import { AdminsPart, ScreensPart, SessionsPart } from './settings-lists.tsx';
import { PasswordPart } from './settings-password.tsx';

const parts: Readonly<
  Record<SettingsPart, { readonly title: string; readonly Part: () => VNode }>
> = {
  admins: { title: 'Accounts', Part: AdminsPart },
  screens: { title: 'Screens', Part: ScreensPart },
  sessions: { title: 'Sessions', Part: SessionsPart },
  audit: { title: 'Log', Part: AuditPart },
  password: { title: 'Password', Part: PasswordPart },
};

export function SettingsPage() {
  const asked = path.value.split('/')[1];
  const own: readonly SettingsPart[] =
    session.value?.role === 'admin' ? settingsParts : ['password'];
  const name = own.find((part) => part === asked) ?? (own[0] as SettingsPart);
  const { title, Part } = parts[name];
  return (
    <Page title={name === settingsParts[0] ? 'Settings' : `Settings: ${title.toLowerCase()}`}>
      <nav aria-label="Settings">
        <ul class="tabs">
          {own.map((one) => (
            <li key={one}>
              <a
                href={`/dashboard/settings/${one}`}
                aria-current={one === name ? 'page' : undefined}
              >
                {parts[one].title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Part key={name} />
    </Page>
  );
}
