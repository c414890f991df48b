/** What the loader of the executable gives (scripts/executable/loader.cjs). */
declare module 'cs:parts' {
  export const read: (name: string) => Buffer;
  export const names: () => readonly string[];
}
