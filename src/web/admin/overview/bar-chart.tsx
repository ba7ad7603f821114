/** A value of the chart; null where there is none. */
export type ChartPoint = { label: string; value: number | null; text: string };

const HEIGHT = 64;
const STEP = 24;
const BAR = 18;
/** Minimum height of a bar for a value above zero, so that the bar is visible. */
const LEAST = 2;

/**
 * Bars over time, drawn without scripts. `label` says for screen readers what they show; the values are in a
 * table beside it. The style sheet mirrors the bars in right-to-left languages.
 */
export function BarChart({ label, points }: { label: string; points: ChartPoint[] }) {
  const most = Math.max(...points.map(({ value }) => value ?? 0), 1e-9);
  const height = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT));
  return (
    <figure className="chart">
      <svg role="img" aria-label={label} viewBox={`0 0 ${points.length * STEP} ${HEIGHT + 1}`}>
        {points.map((point, i) => (
          <g key={point.label} className="chart-bar">
            <title>{`${point.label}: ${point.text}`}</title>
            {/* The whole column reacts to the pointer, not the bar alone. */}
            <rect x={i * STEP} y={0} width={STEP} height={HEIGHT} className="chart-column" />
            <rect
              x={i * STEP + (STEP - BAR) / 2}
              y={HEIGHT - height(point.value ?? 0)}
              width={BAR}
              height={height(point.value ?? 0)}
              rx={2}
            />
          </g>
        ))}
        <line x1={0} x2={points.length * STEP} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="chart-axis" />
      </svg>
      <figcaption className="flex justify-between gap-2 text-small text-quiet" aria-hidden>
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}
