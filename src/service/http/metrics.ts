/** Metrics in Prometheus' text format. Labels contain operations, never teams, keys or records. */
import { performance } from 'node:perf_hooks';

/** Upper bounds of the histogram's buckets, in seconds. */
const bounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations {
  /** Count per bucket, not cumulative. */
  readonly counts: number[];
  sum: number;
  count: number;
}

export interface Metrics {
  /** Call at the start of a request; call the result at its end. */
  started(): (operation: string, method: string, status: number) => void;
  /** All metrics as Prometheus text 0.0.4. `waiting` is the number of entries in the outbox. */
  text(waiting: number): string;
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export function createMetrics(): Metrics {
  const answered = new Map<string, number>();
  const durations = new Map<string, Durations>();
  let inFlight = 0;
  return {
    started() {
      const start = performance.now();
      inFlight += 1;
      return (operation, method, status) => {
        inFlight -= 1;
        const labels = `operation="${operation}",method="${method}",status="${status}"`;
        answered.set(labels, (answered.get(labels) ?? 0) + 1);
        observe(durations, operation, (performance.now() - start) / 1000);
      };
    },
    text: (waiting) =>
      [
        ...family(
          'cs_http_requests_total',
          'counter',
          'Requests answered.',
          sorted(answered).map(([labels, count]) => `{${labels}} ${count}`),
        ),
        ...family(
          'cs_http_request_duration_seconds',
          'histogram',
          'From the arrival of a request to the end of its answer.',
          sorted(durations).flatMap(histogram),
        ),
        ...family('cs_http_requests_in_flight', 'gauge', 'Requests that are not answered yet.', [` ${inFlight}`]),
        ...family('cs_outbox_waiting', 'gauge', 'Messages, sends and posts that are still to be handed over.', [` ${waiting}`]),
        ...processFamilies(),
        '',
      ].join('\n'),
  };
}

function observe(durations: Map<string, Durations>, operation: string, seconds: number): void {
  const known = durations.get(operation) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
  const at = bounds.findIndex((bound) => seconds <= bound);
  if (at >= 0) known.counts[at] = (known.counts[at] ?? 0) + 1;
  known.sum += seconds;
  known.count += 1;
  durations.set(operation, known);
}

function histogram([operation, { counts, sum, count }]: [string, Durations]): string[] {
  let below = 0;
  const buckets = bounds.map((bound, at) => {
    below += counts[at] ?? 0;
    return `_bucket{operation="${operation}",le="${bound}"} ${below}`;
  });
  const own = `{operation="${operation}"}`;
  return [...buckets, `_bucket{operation="${operation}",le="+Inf"} ${count}`, `_sum${own} ${sum.toFixed(6)}`, `_count${own} ${count}`];
}

/** Standard names, so that ready-made dashboards find them. */
function processFamilies(): string[] {
  const { user, system } = process.cpuUsage();
  return [
    ...family('process_cpu_seconds_total', 'counter', 'Time on the processor.', [` ${(user + system) / 1_000_000}`]),
    ...family('process_resident_memory_bytes', 'gauge', 'Memory in use.', [` ${process.memoryUsage.rss()}`]),
    ...family('process_start_time_seconds', 'gauge', 'Start of the process, as seconds since 1970.', [` ${performance.timeOrigin / 1000}`]),
    ...family('nodejs_eventloop_utilization', 'gauge', 'Share of the time that the event loop was busy.', [
      ` ${performance.eventLoopUtilization().utilization.toFixed(4)}`,
    ]),
  ];
}

const family = (name: string, type: string, help: string, samples: readonly string[]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map((sample) => name + sample),
];

const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
