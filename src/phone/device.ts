/** What the person at the counter calls the phone: from what its browser says of itself. An iPad calls itself a Mac. */
export function deviceName(agent: string, touchPoints: number): string {
  if (/iPhone|iPod/.test(agent)) return 'iPhone';
  if (/iPad/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) return 'iPad';
  const model = /Android [^;)]*; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(agent)?.[1];
  // Chrome calls every model K, and Firefox tells only its form.
  if (/Android/.test(agent))
    return model && !/^(K|Mobile|Tablet)$/.test(model) ? model : 'Android phone';
  return 'Browser';
}
