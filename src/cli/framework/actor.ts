/**
 * The account that runs this, as the audit log has it; the uid where it has no name, as in many
 * containers.
 */
export function accountName(
  userInfo: () => { readonly username: string },
  uid: number | undefined,
): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${uid}`;
  }
}
