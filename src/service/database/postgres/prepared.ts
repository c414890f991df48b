/** Names under which a connection keeps statements that it has planned. Texts come from code, not from callers, but lists of ids and filters vary in length. */
const names = new Map<string, string>();
const most = 500;

/** The name of a statement; undefined for one that is planned each time. */
export function preparedName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known || names.size >= most) return known;
  const name = `s${names.size}`;
  names.set(sql, name);
  return name;
}
