/**
 * Completes a folder of executables and packages: each executable compressed, SHA256SUMS, and the manifests of Homebrew, scoop and winget
 * made from it. `node scripts/release.mjs --folder release --address https://downloads.example.com/cs/0.1.0`
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from './bundle.js';

const { version, license, description } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);
const { values } = parseArgs({
  options: { folder: { type: 'string', default: 'release' }, address: { type: 'string' } },
});
const { folder, address } = values;
if (!address) throw new Error('--address: where the files of this release will be');

const executable = /^cs-(linux|darwin)-(x64|arm64)$/;
for (const name of readdirSync(folder).filter((one) => executable.test(one))) {
  const file = join(folder, name);
  // A fifth smaller, for all who have xz; gzip is on every machine.
  execFileSync('xz', ['--keep', '--force', '--threads=0', file], { stdio: 'inherit' });
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
copyFileSync(fileURLToPath(new URL('scripts/install.sh', root)), join(folder, 'install.sh'));

const delivered = /\.(gz|xz|deb|tgz|exe|sh|licences\.txt)$/;
const sums = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => delivered.test(name))
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
);
write(
  'SHA256SUMS',
  Object.entries(sums)
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join(''),
);

// What an installed cs compares with its own version (CS_UPDATE_URL).
write('latest', `${version}\n`);

const brewed = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].filter(
  (one) => sums[`cs-${one}.gz`],
);
if (brewed.length > 0) write('car-storage.rb', formula());
const onWindows = sums['cs-win32-x64.exe'];
if (onWindows) {
  write('car-storage.json', `${JSON.stringify(scoop(onWindows), null, 2)}\n`);
  for (const [name, text] of Object.entries(winget(onWindows))) write(`winget/${name}`, text);
}

function write(name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}

function formula() {
  const blocks = brewed.map((one) => {
    const [system, arch] = one.split('-');
    return `  on_${system === 'darwin' ? 'macos' : 'linux'} do
    on_${arch === 'x64' ? 'intel' : 'arm'} do
      url "${address}/cs-${one}.gz"
      sha256 "${sums[`cs-${one}.gz`]}"
    end
  end
`;
  });
  return `class CarStorage < Formula
  desc "${description.replace(/\.$/, '')}"
  homepage "${address}"
  version "${version}"
  license "${license}"

${blocks.join('\n')}
  def install
    bin.install Dir["cs-*"].first => "cs"
    generate_completions_from_executable(bin/"cs", "completion")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/cs --version").strip
  end
end
`;
}

function scoop(hash) {
  return {
    version,
    description,
    homepage: address,
    license,
    architecture: { '64bit': { url: `${address}/cs-win32-x64.exe#/cs.exe`, hash } },
    bin: 'cs.exe',
  };
}

function winget(hash) {
  const id = 'CarStorage.Cs';
  const head = (type) => `PackageIdentifier: ${id}\nPackageVersion: ${version}\n${type}`;
  const tail = (type) => `ManifestType: ${type}\nManifestVersion: 1.6.0\n`;
  return {
    [`${id}.yaml`]: head(`DefaultLocale: en-US\n${tail('version')}`),
    [`${id}.installer.yaml`]: head(
      `InstallerType: portable\nCommands:\n- cs\nInstallers:\n- Architecture: x64\n  InstallerUrl: ${address}/cs-win32-x64.exe\n  InstallerSha256: ${hash.toUpperCase()}\n${tail('installer')}`,
    ),
    [`${id}.locale.en-US.yaml`]: head(
      `PackageLocale: en-US\nPublisher: car-storage\nPackageName: cs\nLicense: ${license}\nShortDescription: ${description}\n${tail('defaultLocale')}`,
    ),
  };
}
