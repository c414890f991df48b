/** The clocks of callers may differ from the service's by this much, either way, in milliseconds (decision). */
export const clockToleranceMs = 5 * 60_000;
