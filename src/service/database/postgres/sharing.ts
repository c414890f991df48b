import { setImmediate } from 'node:timers/promises';

/**
 * Lets those who ask the same thing at the same moment share one answer. It is asked for after the last of them has come,
 * so nobody is told what was true before: whoever comes once it is on its way gets one of their own.
 */
export function shareAnswers<T>(ask: (about: string) => Promise<T>): (about: string) => Promise<T> {
  const gathering = new Map<string, Promise<T>>();
  return (about) => {
    const known = gathering.get(about);
    if (known) return known;
    const answer = setImmediate().then(() => {
      gathering.delete(about);
      return ask(about);
    });
    gathering.set(about, answer);
    return answer;
  };
}
