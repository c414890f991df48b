/** A link as a code to scan, always black on white. Loaded when one is shown. */
import { useEffect, useState } from 'preact/hooks';

export function QrCode({ text, title }: { readonly text: string; readonly title: string }) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[]>();
  useEffect(() => {
    import('uqr')
      .then(({ encode }) => setModules(encode(text, { ecc: 'L', border: 2 }).data))
      .catch(() => {});
  }, [text]);
  if (!modules) return null;
  const size = modules.length;
  const squares = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      width={256}
      height={256}
      role="img"
      aria-label={title}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={squares.join('')} />
    </svg>
  );
}
