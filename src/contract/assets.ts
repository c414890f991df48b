import { z } from 'zod';
import { photoTypes } from './cars.ts';
import { createOnly, defaulted, equals, optional, readOnly, required, search, writeOnly } from './declare.ts';
import * as fields from './fields.ts';
import { assetLimit, inMebibytes } from './limits.ts';
import { decision, resource } from './resource.ts';

/**
 * Media types of assets, recognisable by their bytes. Text isn't: everything would pass as text, also pages with scripts.
 * SVG is excluded for the same reason as in photos.
 */
export const assetTypes = [...photoTypes, 'application/pdf', 'video/mp4'] as const;
export type AssetType = (typeof assetTypes)[number];

const read = { all: ['read:marketing-assets'] } as const;
const write = { all: ['write:marketing-assets'] } as const;

export const assets = resource({
  name: 'assets',
  singular: 'asset',
  plural: 'assets',
  path: '/marketing/assets',
  param: 'id',
  about: `A picture, film or document for marketing, of at most ${inMebibytes(assetLimit)}. It never appears among the photos of a car.`,
  get fields() {
    return {
      folderId: optional(decision, fields.id, 'The folder it lies in; null at the top.', { references: 'assetFolders' }),
      filename: {
        ...optional(decision, fields.line(255), 'File name; made from the type when left out, separators and control characters replaced.'),
        schema: fields.line(255),
      },
      contentType: {
        ...createOnly(decision, z.enum(assetTypes), 'Media type; must match the bytes when given.'),
        schema: z.enum(assetTypes),
      },
      sourceUrl: writeOnly(decision, fields.url, 'Public address that the service fetches the bytes from; one of sourceUrl and base64.'),
      base64: writeOnly(decision, z.string().min(1), 'The bytes as base64, a data: lead is accepted; one of sourceUrl and base64.'),
      altText: optional(decision, fields.text(1_000), 'What it shows, for those who cannot see it.'),
      tags: defaulted(decision, z.array(fields.line(100)).max(50), [], 'Words to find assets by.'),
      sizeBytes: readOnly(decision, fields.count, 'Size of the bytes.'),
      sha256: readOnly(decision, fields.sha256, 'SHA-256 of the bytes, hexadecimal.'),
      url: readOnly(decision, z.string(), 'Path of the bytes, below the base address.'),
    };
  },
  get filters() {
    return {
      folderId: equals(decision, fields.id, 'folderId', 'Assets of this folder.'),
      contentType: equals(decision, z.enum(assetTypes), 'contentType', 'Assets of this media type.'),
      q: search(decision, ['filename', 'altText'], ['filename'], 'Words found in file name or alternative text.'),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List assets.' },
    get: { source: decision, scope: read, about: 'Read what is known of an asset.' },
    create: {
      source: decision,
      scope: write,
      about: 'Upload one asset.',
      problems: [
        'conflicting_fields',
        'photo_too_large',
        'photo_type_unsupported',
        'photo_type_mismatch',
        'source_url_blocked',
        'source_url_failed',
      ],
      upload: true,
      // More than base64 of the limit: a larger body is still read, so that the answer is photo_too_large.
      bodyLimit: 20 * 1024 * 1024,
    },
    update: { source: decision, scope: write, about: 'Rename, describe, tag or move an asset.' },
    delete: { source: decision, scope: write, about: 'Delete an asset; refused while a record shows it.', problems: ['resource_in_use'] },
    content: { source: decision, scope: read, about: 'The bytes of an asset.' },
  },
});

/** The deepest nesting of folders (decision). */
export const folderDepthLimit = 10;

export const assetFolders = resource({
  name: 'assetFolders',
  singular: 'asset folder',
  plural: 'asset folders',
  path: '/marketing/asset-folders',
  param: 'id',
  about: 'A folder of marketing assets. Folders lie in each other, 10 deep at most.',
  get fields() {
    return {
      name: required(decision, fields.name, 'Name; unique in the folder that it lies in.'),
      parentId: optional(decision, fields.id, 'The folder that it lies in; null at the top.', { references: 'assetFolders' }),
    };
  },
  get filters() {
    return {
      parentId: equals(decision, fields.id, 'parentId', 'Folders that lie in this one.'),
      q: search(decision, ['name'], ['name'], 'Words found in the name.'),
    };
  },
  unique: [{ field: 'name', within: 'parentId' }],
  operations: {
    list: { source: decision, scope: read, about: 'List asset folders.' },
    get: { source: decision, scope: read, about: 'Read an asset folder.' },
    create: { source: decision, scope: write, about: 'Create an asset folder.', problems: ['duplicate'] },
    update: { source: decision, scope: write, about: 'Rename or move an asset folder.', problems: ['duplicate'] },
    delete: { source: decision, scope: write, about: 'Delete an asset folder; refused unless it is empty.', problems: ['resource_in_use'] },
  },
});
