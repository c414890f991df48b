const replays = new WeakSet<object>();

/** Marks a record of a repeated answer. */
export const markReplayed = (record: object): void => void replays.add(record);

/**
 * Whether this record is the answer to an earlier call with the same Idempotency-Key: nothing new was stored, and the record may have
 * changed or been deleted since. Always false for servers that don't report it.
 */
export const wasReplayed = (record: object): boolean => replays.has(record);
