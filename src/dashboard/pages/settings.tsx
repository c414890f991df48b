/** Accounts and what they did. */
import type { VNode } from 'preact';
import { type SettingsPart, settingsParts } from '../../contract/dashboard/pages.ts';
import { Page } from '../parts/page.tsx';
import { path } from '../router.ts';
import { AuditPart } from './settings-audit.tsx';
import { AdminsPart, ScreensPart, SessionsPart } from './settings-lists.tsx';
import { PasswordPart } from './settings-password.tsx';

const parts: Readonly<
  Record<SettingsPart, { readonly title: string; readonly Part: () => VNode }>
> = {
  admins: { title: 'Admins', Part: AdminsPart },
  screens: { title: 'Screens', Part: ScreensPart },
  sessions: { title: 'Sessions', Part: SessionsPart },
  audit: { title: 'Audit log', Part: AuditPart },
  password: { title: 'My password', Part: PasswordPart },
};

export function SettingsPage(): VNode {
  const asked = path.value.split('/')[1];
  const name = settingsParts.find((part) => part === asked) ?? settingsParts[0];
  const { title, Part } = parts[name];
  return (
    <Page title={name === settingsParts[0] ? 'Settings' : `Settings: ${title.toLowerCase()}`}>
      <nav aria-label="Settings">
        <ul class="tabs">
          {settingsParts.map((one) => (
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
