/** A noun with its article: `a car`, `an appointment`, `an RSVP`. */
export const withArticle = (noun: string): string =>
  `${/^([aeiou]|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`;
