/** Whether a value of unknown origin is an object with names, so that it can be looked into. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
