import { z } from 'zod';
import { photoTypes } from './cars.ts';
import {
  createOnly,
  defaulted,
  equals,
  optional,
  readOnly,
  required,
  search,
  writeOnly,
} from './declare.ts';
import * as fields from './fields.ts';
import { aboutMegabytes, assetLimit } from './limits.ts';
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
  about: `A picture, video or document for marketing, up to ${aboutMegabytes(assetLimit)}. Assets never appear among the photos of a car.`,
  get fields() {
    return {
      folderId: optional(decision, fields.id, 'The folder; null for the top level.', {
        references: 'assetFolders',
      }),
      filename: {
        ...optional(
          decision,
          fields.line(255),
          'File name. Separators and control characters are replaced.',
          {
            initialText: 'made from the media type',
            adjusts: 'on_create',
          },
        ),
        schema: fields.line(255),
      },
      contentType: {
        ...createOnly(decision, z.enum(assetTypes), 'Media type. Must match the bytes.', {
          initialText: 'detected from the bytes',
          adjusts: 'on_create',
        }),
        schema: z.enum(assetTypes),
      },
      sourceUrl: writeOnly(
        decision,
        fields.url,
        'Public https address from which the service downloads the bytes. Exactly one of sourceUrl and base64 is required.',
      ),
      base64: writeOnly(
        decision,
        z.string().min(1),
        'The bytes as base64, with or without a data: prefix. Exactly one of sourceUrl and base64 is required.',
      ),
      altText: optional(
        decision,
        fields.text(1_000),
        "Alternative text for people who can't see the asset.",
      ),
      tags: defaulted(decision, z.array(fields.line(100)).max(50), [], 'Tags.'),
      sizeBytes: readOnly(decision, fields.count, 'Size in bytes.'),
      sha256: readOnly(decision, fields.sha256, 'SHA-256 of the bytes in hexadecimal.'),
      url: readOnly(decision, z.string(), 'Path of the bytes, relative to the base address.'),
    };
  },
  get filters() {
    return {
      folderId: equals(decision, fields.id, 'folderId', 'Assets in this folder.'),
      contentType: equals(
        decision,
        z.enum(assetTypes),
        'contentType',
        'Assets with this media type.',
      ),
      q: search(decision, ['filename', 'altText'], ['filename'], {
        fields: 'file name or alternative text',
        keys: 'the file name',
      }),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List assets.' },
    get: { source: decision, scope: read, about: "Read an asset's metadata." },
    create: {
      source: decision,
      scope: write,
      about: 'Upload one asset.',
      problems: [
        'conflicting_fields',
        'photo_too_large',
        'photo_type_unsupported',
        'photo_type_mismatch',
        'quota_exceeded',
        'source_url_blocked',
        'source_url_failed',
      ],
      upload: true,
      // More than base64 of the limit: a larger body is still read, so that the answer is photo_too_large.
      bodyLimit: 20 * 1024 * 1024,
    },
    update: { source: decision, scope: write, about: 'Rename, describe, tag or move an asset.' },
    delete: {
      source: decision,
      scope: write,
      about: 'Delete an asset. Refused while other records use it.',
      problems: ['resource_in_use'],
    },
    content: { source: decision, scope: read, about: 'Download the bytes of an asset.' },
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
  about: 'A folder of marketing assets. Folders can be nested up to 10 deep.',
  get fields() {
    return {
      name: required(decision, fields.name, 'Name, unique in the parent folder.'),
      parentId: optional(decision, fields.id, 'The parent folder; null at the top level.', {
        references: 'assetFolders',
      }),
    };
  },
  get filters() {
    return {
      parentId: equals(decision, fields.id, 'parentId', 'Folders in this folder.'),
      q: search(decision, ['name'], ['name'], { fields: 'the name', keys: 'the name' }),
    };
  },
  unique: [{ field: 'name', within: 'parentId' }],
  operations: {
    list: { source: decision, scope: read, about: 'List asset folders.' },
    get: { source: decision, scope: read, about: 'Read an asset folder.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create an asset folder.',
      problems: ['duplicate'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Rename or move an asset folder.',
      problems: ['duplicate'],
    },
    delete: {
      source: decision,
      scope: write,
      about: "Delete an asset folder. Refused while it isn't empty.",
      problems: ['resource_in_use'],
    },
  },
});
