/** The name of the phone on the counter's terminal, from its user agent. The user agent of an iPad says Macintosh. */
export function deviceName(agent: string, touchPoints: number): string {
  if (/iPhone|iPod/.test(agent)) return 'iPhone';
  if (/iPad/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) return 'iPad';
  const model = /Android [^;)]*; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(agent)?.[1];
  // Chrome says K in place of every model, and Firefox Mobile or Tablet.
  if (model === 'Tablet') return 'Android tablet';
  if (/Android/.test(agent)) return model && !/^(K|Mobile)$/.test(model) ? model : 'Android phone';
  return 'Browser';
}
