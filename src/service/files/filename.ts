import type { AssetType } from '../../contract/assets.ts';

const longest = 255;

/**
 * Characters that could make a name a path, break a header or disguise the name: separators, control characters, line and
 * paragraph separators, direction marks, lone surrogates.
 */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const extensions: Readonly<Record<AssetType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
};

/** A safe file name of at most 255 characters; a default such as `photo.jpg` if none is given. */
export function safeFilename(
  given: string | null | undefined,
  contentType: AssetType,
  noun: string,
): string {
  const name = (given ?? '').trim().replace(unsafe, '_');
  // Names that consist of dots mean folders.
  return /^\.*$/.test(name) ? `${noun}.${extensions[contentType]}` : shortened(name);
}

function shortened(name: string): string {
  if (name.length <= longest) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  // Never cuts a surrogate pair.
  const stem = name.slice(0, longest - extension.length).replace(/\p{Cs}$/u, '');
  return stem + extension;
}
