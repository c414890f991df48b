/** The user in the service's audit log; the uid where it has no name, as in many containers. */
export function auditName(userInfo: () => { readonly username: string }, uid: number | undefined): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${uid}`;
  }
}
