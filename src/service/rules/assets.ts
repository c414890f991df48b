import { assetKind } from '../files/asset-type.ts';
import { keptFilename } from '../files/filename.ts';
import type { RulesOf } from './rule.ts';
import { readBytes, sweepBytes, takeIn } from './stored-bytes.ts';
import { refuseUsed } from './uses.ts';

export const assets: RulesOf<'assets'> = {
  intake: (context, { body }) => takeIn(context, assetKind, body),
  async create(_context, { intake }, proceed) {
    if (!intake) throw new Error('An asset is taken in before it is stored');
    await intake.ensureStored();
    return proceed(intake.values);
  },
  async update(_context, { record, body }, proceed) {
    if (body.filename === undefined) return proceed();
    return proceed({ filename: keptFilename(body.filename, record.contentType, 'asset') });
  },
  async delete(context, { record }, proceed) {
    await refuseUsed(context, `The asset ${record.filename}`, { target: 'assets', id: record.id });
    await proceed();
    sweepBytes(context, record.sha256);
  },
  content: readBytes,
};
