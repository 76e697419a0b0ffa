import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LIMIT_METRIC, LIMIT_NAMES, timesReached } from '#lib/limits';
import { singleton } from '#lib/singleton';

/** Metrics of this process, which are summed over the deployment. */
export const metrics = () =>
  singleton('metrics', () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry, prefix: 'pomona_' });
    return {
      registry,
      latency: new Histogram({
        name: 'pomona_http_request_duration_seconds',
        help: 'Time from the request to its answer, by operation',
        labelNames: ['method', 'path', 'status'] as const,
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 61],
        registers: [registry],
      }),
      limits: new Counter({
        name: LIMIT_METRIC,
        help: 'Times that a limit was met, by its setting',
        labelNames: ['limit'] as const,
        registers: [registry],
        collect() {
          this.reset();
          for (const limit of LIMIT_NAMES) this.inc({ limit }, timesReached(limit));
        },
      }),
      connections: new Gauge({ name: 'pomona_open_connections', help: 'Open connections', registers: [registry] }),
      errors: new Counter({
        name: 'pomona_internal_errors_total',
        help: 'Answers with internal_error',
        registers: [registry],
      }),
    };
  });

export function observeHttp(method: string, path: string, status: number, milliseconds: number): void {
  metrics()
    .latency.labels(method, path, String(status))
    .observe(milliseconds / 1000);
}
