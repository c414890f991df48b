#!/bin/sh
# Installs cs into ~/.local/bin, without sudo: curl -fsSL ADDRESS/install.sh | CS_RELEASES=ADDRESS sh
# CS_RELEASES is the address of the release's files, CS_BIN another folder.
set -eu
releases=${CS_RELEASES:?set CS_RELEASES to the address of the release, such as https://downloads.example.com/cs/0.1.0}
folder=${CS_BIN:-$HOME/.local/bin}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) name=cs-linux-x64 ;;
  Linux-aarch64) name=cs-linux-arm64 ;;
  Darwin-arm64) name=cs-darwin-arm64 ;;
  *)
    echo "error: there is no cs for $(uname -s) on $(uname -m)." >&2
    echo "hint: npm install -g car-storage runs wherever Node.js does" >&2
    exit 1
    ;;
esac

unpack=gzip file=$name.gz
if command -v xz >/dev/null; then unpack=xz file=$name.xz; fi
mkdir -p "$folder"
# There, since other places may be mounted with noexec.
work=$(mktemp -d "$folder/.cs-XXXXXX")
trap 'rm -rf "$work"' EXIT
fetch() { curl -fsSL --retry 3 -o "$work/$1" "$releases/$1"; }
fetch "$file" || { echo "error: $releases/$file can't be downloaded." >&2; exit 1; }
fetch SHA256SUMS || { echo "error: $releases/SHA256SUMS can't be downloaded." >&2; exit 1; }
expected=$(awk -v name="$file" '$2 == name { print $1 }' "$work/SHA256SUMS")
if command -v sha256sum >/dev/null; then found=$(sha256sum "$work/$file"); else found=$(shasum -a 256 "$work/$file"); fi
if [ -z "$expected" ] || [ "${found%% *}" != "$expected" ]; then
  echo "error: $file is damaged: its SHA-256 is ${found%% *}, not ${expected:-listed}. Nothing was installed." >&2
  echo "hint: run it again" >&2
  exit 1
fi
$unpack -d "$work/$file"
chmod 755 "$work/$name"
# Compared, since a file that can't run here may end without a word: an older glibc says so now, not at the counter.
version=$("$work/$name" --version) || true
case "$version" in
  [0-9]*.[0-9]*.[0-9]*) ;;
  *)
    echo "error: cs doesn't run on this machine. Nothing was installed." >&2
    echo "hint: on Linux it needs glibc 2.28 or newer (ldd --version)" >&2
    exit 1
    ;;
esac
mv "$work/$name" "$folder/cs"
echo "cs $version is in $folder/cs"
case ":$PATH:" in *":$folder:"*) ;; *) echo "Add it to your PATH: export PATH=\"$folder:\$PATH\"" ;; esac
