/** Browser and system in words, for the list of sessions: from what the browser says of itself, which can be anything. */
export function deviceOf(userAgent: string | undefined): string {
  const named = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = named(browsers) ?? 'Another browser';
  const system = named(systems);
  return system ? `${browser} on ${system}` : browser;
}

/** Browsers name those that they are like, so the order counts. */
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone/, 'an iPhone'],
  [/iPad/, 'an iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'a Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;
