/** An import, ready to be checked, shown or sent. */
import type { SyncName } from '../../../client/client.ts';
import type { FileRow, RowFile } from './rows.ts';
import type { ReadRow } from './send-rows.ts';
import type { UpsertKey } from './upsert.ts';

export interface Job {
  readonly name: SyncName;
  readonly file: RowFile;
  readonly key: UpsertKey | undefined;
  /** Every row with its request; works without the server. */
  readonly rows: () => AsyncGenerator<ReadRow, void>;
  /** `line 3` of text, `record 3` of a JSON array, `row 3` of a sheet. */
  readonly place: (row: FileRow) => string;
}
