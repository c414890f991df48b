/**
 * Builds the Debian package from an executable: `node scripts/deb.mjs --executable FILE [--arch x64] [--output FOLDER] [--version VERSION] [--compression xz]`.
 * `npm run build` comes first. Prints the path of the package.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from './bundle.js';

const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const { values } = parseArgs({
  options: {
    executable: { type: 'string' },
    arch: { type: 'string', default: process.arch },
    output: { type: 'string', default: 'release' },
    version: { type: 'string', default: manifest.version },
    compression: { type: 'string', default: 'xz' },
  },
});
const { executable, arch, output, version, compression } = values;
const architecture = { x64: 'amd64' }[arch] ?? arch;
const source = (name) => fileURLToPath(new URL(name, root));

const tree = mkdtempSync(join(tmpdir(), 'cs-deb-'));
try {
  chmodSync(tree, 0o755);
  const put = (to, content, mode = 0o644) => {
    mkdirSync(dirname(join(tree, to)), { recursive: true, mode: 0o755 });
    writeFileSync(join(tree, to), content, { mode });
    // The mask of the person who builds it is none of the package's.
    chmodSync(join(tree, to), mode);
  };
  const file = (to, from, mode) => put(to, readFileSync(source(from)), mode);

  mkdirSync(join(tree, 'usr/bin'), { recursive: true, mode: 0o755 });
  copyFileSync(executable, join(tree, 'usr/bin/cs'));
  chmodSync(join(tree, 'usr/bin/cs'), 0o755);
  for (const name of readdirSync(source('dist/man')))
    put(
      `usr/share/man/man${name.at(-1)}/${name}.gz`,
      gzipSync(readFileSync(source(`dist/man/${name}`)), { level: 9 }),
    );
  file('usr/share/bash-completion/completions/cs', 'completions/cs.bash');
  file('usr/share/zsh/vendor-completions/_cs', 'completions/_cs');
  file('usr/share/fish/vendor_completions.d/cs.fish', 'completions/cs.fish');
  for (const name of ['.service', '-backup.service', '-backup.timer'])
    file(`usr/lib/systemd/system/car-storage${name}`, `scripts/deb/car-storage${name}`);
  file('usr/lib/sysusers.d/car-storage.conf', 'scripts/deb/sysusers.conf');
  file('usr/lib/tmpfiles.d/car-storage.conf', 'scripts/deb/tmpfiles.conf');
  file('etc/default/car-storage', 'scripts/deb/default', 0o600);
  mkdirSync(join(tree, 'etc/car-storage'), { mode: 0o700 });
  put(
    'usr/share/doc/car-storage/copyright',
    `${readFileSync(source('LICENSE'), 'utf8')}\n${readFileSync(`${executable}.licences.txt`, 'utf8')}`,
  );
  put('usr/share/doc/car-storage/changelog.gz', gzipSync(readFileSync(source('CHANGELOG.md'))));
  for (const name of ['postinst', 'prerm', 'postrm'])
    file(`DEBIAN/${name}`, `scripts/deb/${name}`, 0o755);
  put('DEBIAN/conffiles', '/etc/default/car-storage\n');
  put('DEBIAN/control', control());

  mkdirSync(output, { recursive: true });
  const made = join(output, `car-storage_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', tree, made], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(made);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/** What Node and the libraries for photos link; glibc as old as theirs. */
function control() {
  const size = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return `Package: car-storage
Version: ${version}
Architecture: ${architecture}
Maintainer: The car-storage project <maintainers@car-storage.example>
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9), passwd
Suggests: postgresql, caddy
Section: utils
Priority: optional
Description: ${manifest.description}
 cs takes cars in, parks them, photographs them and hands them out, from the
 terminal. The same file is the service; it starts only when it is asked to:
 systemctl enable --now car-storage
`;
}
