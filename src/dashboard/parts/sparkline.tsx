/** A small plot of a few numbers, said in words as well. */

export function Sparkline({
  values,
  title,
}: {
  readonly values: readonly number[];
  readonly title: string;
}) {
  const most = Math.max(1, ...values);
  const [width, height, step] = [values.length * 4, 24, 4];
  const bars = values.map((value, index) => {
    const length = value === 0 ? 0 : Math.max(1.5, (value / most) * height);
    return `M${index * step} ${height}v-${length.toFixed(1)}h3v${length.toFixed(1)}z`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={title}
    >
      <path class="floor" d={`M0 ${height - 0.5}h${width}v.5h-${width}z`} />
      <path d={bars.join('')} />
    </svg>
  );
}
