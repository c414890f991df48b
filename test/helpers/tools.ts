/**
 * Tests look for shells, a typesetter, PgBouncer, OpenStack Swift, promtool and a browser on the machine. Tests of a missing tool are skipped;
 * in continuous integration, which installs them, they fail.
 */
export const toolsAreRequired = process.env.CS_TEST_TOOLS === 'all';
