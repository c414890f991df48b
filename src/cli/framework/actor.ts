/** Who is named in the service's audit log: the user, or only the number where the system has no name for it, as in many containers. */
export function actorOf(userInfo: () => { readonly username: string }, uid: number | undefined): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${uid}`;
  }
}
