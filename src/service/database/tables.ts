/** The rows of every table. Those of resources have the fields of the contract, the others the columns of their description. */
import type { RecordFor, StoredName } from '../../contract/contract.ts';
import type { RowOf } from './create-tables.ts';
import type { bytesTables } from './migrations/bytes.ts';
import type { campaignTables } from './migrations/campaigns.ts';
import type { dashboardTables } from './migrations/dashboard.ts';
import type { FileFolderRow } from './migrations/migrations.ts';
import type { socialTables } from './migrations/social.ts';
import type { teamTables } from './migrations/team.ts';

type Described = (
  | typeof teamTables
  | typeof campaignTables
  | typeof socialTables
  | typeof dashboardTables
  | typeof bytesTables
)[number];

type OwnTables = {
  [T in Described as Exclude<T['name'], StoredName>]: RowOf<T['columns']>;
};

export type Tables = { [N in StoredName]: RecordFor<N> } & OwnTables & {
    fileFolder: FileFolderRow;
    /** On PostgreSQL: what services count together; see http/shared-waits.ts. `until` in milliseconds since 1970. */
    sharedWaits: { name: string; until: number; count: number };
  };

/** The tables whose rows have an id and the times of a record. */
export type RecordTable = {
  [N in keyof Tables]: Tables[N] extends { id: string; teamId: string; updatedAt: string }
    ? N
    : never;
}[keyof Tables];

export type TeamRow = Tables['teams'];
export type ApiKeyRow = Tables['apiKeys'];
export type OutboxRow = Tables['outbox'];
export type CampaignRunRow = Tables['campaignRuns'];
export type AllowedSenderRow = Tables['allowedSenders'];
export type StoredBytesRow = Tables['storedBytes'];
export type AdminRow = Tables['admins'];
export type ScreenRow = Tables['screens'];
export type BrowserSessionRow = Tables['browserSessions'];
export type OneTimeLinkRow = Tables['oneTimeLinks'];
export type KeyUsageRow = Tables['keyUsage'];
export type { FileFolderRow };
