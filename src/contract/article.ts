/** A noun with its article: `a car`, `an appointment`; of an abbreviation that is spelled, as it is spoken: `an RSVP`. */
export const withArticle = (noun: string): string => `${/^([aeiou]|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`;
