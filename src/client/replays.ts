const replays = new WeakSet<object>();

/** Notes that a record came with a repeated answer. */
export const markReplayed = (record: object): void => void replays.add(record);

/**
 * Whether this record is the answer of an earlier call with the same Idempotency-Key: nothing new was stored, and the record may have
 * changed or be gone since. Always false for servers that don't say so.
 */
export const wasReplayed = (record: object): boolean => replays.has(record);
