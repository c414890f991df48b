/** Why a phone may not reach this machine, in lines beside the code. */
import { existsSync } from 'node:fs';
import type { Io } from '../terminal/io.ts';

/** Where it is clear from the start. */
export function adviceAtOnce({ env }: Pick<Io, 'env'>): string[] {
  if (env.SSH_CONNECTION)
    return [
      "Over SSH the phone can't reach this terminal's machine: it must reach the other end.",
      'Or send the photos as files.',
    ];
  if (env.WSL_DISTRO_NAME)
    return [
      "In WSL the phone can't reach this terminal's machine.",
      'Run cs in Windows, or send the photos as files.',
    ];
  return [];
}

/** After a while without a request. */
export function adviceForSilence(
  { env, platform }: Pick<Io, 'env' | 'platform'>,
  port: number,
): string[] {
  return [
    ...adviceAtOnce({ env }),
    'No phone yet? Check:',
    '- same Wi-Fi, not a guest network',
    '- VPN off, on both',
    ...firewallAdvice(platform, port),
  ];
}

function firewallAdvice(platform: NodeJS.Platform, port: number): string[] {
  if (platform === 'win32')
    return ['- Windows: the network is private, and Node.js is allowed in "Private network"'];
  if (platform === 'darwin') return ['- System Settings > Network > Firewall lets node in'];
  if (existsSync('/usr/sbin/ufw')) return ['- firewall open:', `  sudo ufw allow ${port}/tcp`];
  if (existsSync('/usr/bin/firewall-cmd'))
    return ['- firewall open:', `  sudo firewall-cmd --add-port=${port}/tcp`];
  return [`- the firewall lets TCP ${port} in`];
}
