/** Metrics in Prometheus' text format. Labels contain operations, never teams, keys or records. Loaded only if metrics are served. */
import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../../package.json' with { type: 'json' };

export interface Metrics {
  readonly contentType: string;
  /** Call at the start of a request; call the result at its end. */
  started(): (operation: string, method: string, status: number) => void;
  /** All metrics as text. */
  text(): Promise<string>;
}

/** `countWaiting` counts the entries in the outbox. Each service has a registry of its own, also of several in one process. */
export function createMetrics(countWaiting: () => Promise<number>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'cs_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'cs_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'cs_http_requests_in_flight',
    help: "Requests that aren't answered yet.",
    registers,
  });
  new Gauge({
    name: 'cs_outbox_waiting',
    help: 'Messages, sends and posts that wait for delivery.',
    registers,
    async collect() {
      this.set(await countWaiting());
    },
  });
  new Gauge({
    name: 'cs_build_info',
    help: 'Always 1, with the version of cs.',
    labelNames: ['version'],
    registers,
  }).set({ version: manifest.version }, 1);
  addProcessMetrics(registers);
  return {
    contentType: registry.contentType,
    started() {
      const start = performance.now();
      inFlight.inc();
      return (operation, method, status) => {
        inFlight.dec();
        requests.inc({ operation, method, status });
        durations.observe({ operation }, (performance.now() - start) / 1000);
      };
    },
    text: () => registry.metrics(),
  };
}

/** Standard names, so that ready-made dashboards find them. The defaults of prom-client also watch the event loop and the garbage collector until the process ends. */
function addProcessMetrics(registers: Registry[]): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Time on the processor.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss());
  gauge(
    'process_start_time_seconds',
    'Start of the process, as seconds since 1970.',
    () => performance.timeOrigin / 1000,
  );
  gauge(
    'nodejs_eventloop_utilization',
    'Share of the time that the event loop was busy.',
    () => performance.eventLoopUtilization().utilization,
  );
}
