import type { AssetType } from '../../contract/assets.ts';

const longest = 255;

/**
 * Everything that could make a name act as a path, break a header or read as something that it is not:
 * separators, controls, line and paragraph separators, direction marks and overrides, halves of surrogate pairs.
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

/** The name to keep for a file: the given one made harmless, at most 255 characters; `photo.jpg` and the like when it names nothing. */
export function safeFilename(given: string | null | undefined, contentType: AssetType, noun: string): string {
  const name = (given ?? '').trim().replace(unsafe, '_');
  // Names of dots alone mean folders.
  return /^\.*$/.test(name) ? `${noun}.${extensions[contentType]}` : shortened(name);
}

function shortened(name: string): string {
  if (name.length <= longest) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  // Not half of a surrogate pair at the cut.
  const stem = name.slice(0, longest - extension.length).replace(/\p{Cs}$/u, '');
  return stem + extension;
}
