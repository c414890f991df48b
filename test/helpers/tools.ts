/**
 * Shells and a typesetter are looked for on the machine. Where one is missing its tests are left out, and count as such;
 * in continuous integration, which installs them, they fail.
 */
export const toolsAreRequired = process.env.CS_TEST_TOOLS === 'all';
