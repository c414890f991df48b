/** Answers that a server may leave open. */

/** Undefined where it isn't known. */
export type Known = boolean | undefined;

/** Undefined where one isn't known and none is wrong. */
export function allOf(parts: readonly Known[]): Known {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}
