/** Names in a data folder that more than one file needs. */
export const databaseName = 'cs.sqlite';
/** Marks a folder until a restore into it has finished. */
export const restoreMarkName = 'restore-unfinished';
/** Where a restore unpacks the backup. */
export const stagingName = 'restoring';
