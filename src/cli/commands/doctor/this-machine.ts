/** The checks of this machine: configuration file and settings. */
import { configFile, configFolder, readConfig } from '../../config/config.ts';
import { type Connection, findProfile } from '../../config/connection.ts';
import { describeKey } from '../../config/describe-key.ts';
import { keyFileWarning, nonOwnerMode, writableFolderWarning } from '../../config/permissions.ts';
import { problemOf, settingList, settingNamed } from '../../config/setting-list.ts';
import { invalidVariableErrors } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import type { Io } from '../../terminal/io.ts';
import { quote } from '../../terminal/text.ts';
import { describeProtection } from '../connection/profile.ts';
import { errorFinding, ok, problem, warning } from './finding.ts';
import type { Finding } from './shape.ts';

export function checkConfiguration(io: Io): Finding {
  const name = 'configuration';
  const [file, folder] = [configFile(io), configFolder(io)];
  try {
    readConfig(io);
  } catch (error) {
    return errorFinding(name, error);
  }
  const [fileMode, folderMode] = [nonOwnerMode(io, file), nonOwnerMode(io, folder)];
  const openKey = io.env.CS_KEY_FILE ? keyFileWarning(io, io.env.CS_KEY_FILE) : undefined;
  if (fileMode === undefined) {
    const open = writableFolderWarning(io, folder) ?? openKey;
    return open ? warning(name, open) : ok(name, `none yet (it will be ${file})`);
  }
  if (fileMode !== 0 || folderMode !== 0) {
    const [path, mode] = fileMode === 0 ? [folder, '700'] : [file, '600'];
    return warning(name, `other users of this machine can read ${path}`, {
      hint: `fix it with \`chmod ${mode} ${quote(path)}\``,
    });
  }
  return openKey ? warning(name, openKey) : ok(name, `${file}, private`);
}

/** Without `connection` if the configuration is broken or the profile unknown. */
export function checkSettings({ io, settings }: Context): {
  finding: Finding;
  connection?: Connection;
} {
  const name = 'settings';
  let connection: Connection;
  try {
    connection = settings.connection();
  } catch (error) {
    const { code, message, hint } = reportOf(error);
    const repeated = code !== 'usage';
    return {
      finding: problem(name, repeated ? 'unknown: the configuration is broken' : message, {
        exitCode: exitCodeOf(error),
        hint: repeated ? null : hint,
      }),
    };
  }
  const { profile, baseUrl, key } = connection;
  const lines = [
    `server ${baseUrl.value} (${baseUrl.origin})`,
    ...(key.value ? [`key ${describeKey(key.value)} (${key.origin})`] : []),
    ...settingList
      .filter(({ name }) => !['profile', 'base-url', 'key'].includes(name))
      .flatMap(({ name }) => {
        const setting = settings.find(name);
        return setting ? [`${name} ${setting.value} (${setting.origin})`] : [];
      }),
  ];
  const found =
    profile.value === undefined
      ? 'no profile'
      : [`profile ${profile.value} (${profile.origin})`, describeProtection(connection)]
          .filter(Boolean)
          .join(', ');
  const [wrong, ...more] = invalidVariableErrors(io);
  if (wrong) {
    const { message, hint } = reportOf(wrong);
    const others = more.map((error) => reportOf(error).message);
    return {
      finding: problem(name, `${message} It is ignored here.`, {
        exitCode: exitCodeOf(wrong),
        lines: [...others, ...lines],
        hint,
      }),
      connection,
    };
  }
  const [unknown] = unknownSettings(io, profile.value);
  if (unknown === undefined) return { finding: ok(name, found, { lines }), connection };
  const hint = `remove it with \`cs config unset ${quote(unknown)}\`, or set it again`;
  return {
    finding: warning(name, `${found}; its setting "${unknown}" is unknown to this cs and ignored`, {
      lines,
      hint,
    }),
    connection,
  };
}

/** Written by hand or by another version; ignored. */
function unknownSettings(io: Io, profile: string | undefined): string[] {
  if (profile === undefined) return [];
  const { settings = {} } = findProfile(readConfig(io), profile) ?? {};
  return Object.entries(settings).flatMap(([name, value]) => {
    const info = settingNamed(name);
    return info?.stored && !problemOf(info, value, io.now()) ? [] : [name];
  });
}
