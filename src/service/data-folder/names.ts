/** Names in a data folder and in a backup that more than one file needs. */
export const databaseName = 'cs.sqlite';
/** In `files` and in an S3 store: the id of the database that the files belong to. */
export const folderIdName = 'database-id';
/** Marks a folder until a restore into it has finished. */
export const restoreMarkName = 'restore-unfinished';
/** Where a restore makes the database. */
export const stagingName = 'restoring';
/** A folder with it is a backup. */
export const manifestName = 'backup.json';
