import { freePort } from '../embedded/postgres.ts'

/** Where `up` writes the private ports of its processes, in Prometheus' format for `file_sd_configs`. */
export const TARGETS_FILE = 'prometheus-targets.json'

const names = ['api', 'worker', 'seeds', 'market'] as const
type MetricsPorts = Record<(typeof names)[number], { METRICS_PORT: string }>
type Given = Record<string, string>

/** One private port for each process that `up` starts: METRICS_PORT and the three after it, or free ones. */
export async function chooseMetricsPorts(given: Given): Promise<MetricsPorts> {
  const first = Number(given['METRICS_PORT'])
  const ports = await Promise.all(names.map((_, at) => (first ? first + at : freePort())))
  return Object.fromEntries(names.map((name, at) => [name, { METRICS_PORT: String(ports[at]) }])) as MetricsPorts
}

/** The jobs have the names that the alerts in deploy/prometheus use. */
export function describeTargets(given: Given, ports: MetricsPorts): string {
  const host = given['METRICS_HOST'] ?? '127.0.0.1'
  const started = names.filter((name) => name !== 'market' || !given['MARKET_URL'])
  const targets = started.map((name) => ({
    targets: [`${host}:${ports[name].METRICS_PORT}`],
    labels: { job: `wellplay-${name}` },
  }))
  return `${JSON.stringify(targets, null, 2)}\n`
}
