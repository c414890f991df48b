/** Builds each value once, on first use: building schemas costs start-up time. */
export function memoize<K, V>(build: (key: K) => V): (key: K) => V {
  const built = new Map<K, V>();
  return (key) => {
    if (!built.has(key)) built.set(key, build(key));
    return built.get(key) as V;
  };
}
