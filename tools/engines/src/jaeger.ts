import path from 'node:path'
import { commandPath } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

/** More than a run of the journeys makes. Jaeger keeps traces in memory, and forgets the oldest beyond this number. */
const MAX_TRACES = 50_000

/** The command that Go's installer makes of Jaeger's program. */
export const JAEGER_COMMAND = 'all-in-one'

/** A running Jaeger, which takes spans over OTLP and keeps them in memory. */
export interface JaegerEngine {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly collectorUrl: string
  /** The address of its API, such as `/api/traces/{id}`. */
  readonly queryUrl: string
  readonly process: EngineProcess
}

/** Every port that Jaeger opens. Without an address, each is open on every interface. */
const PORTS = [
  'collector.otlp.http.host-port',
  'query.http-server.host-port',
  'admin.http.host-port',
  'collector.otlp.grpc.host-port',
  'collector.grpc-server.host-port',
  'collector.http-server.host-port',
  'query.grpc-server.host-port',
  'http-server.host-port',
  'processor.jaeger-binary.server-host-port',
  'processor.jaeger-compact.server-host-port',
  'processor.zipkin-compact.server-host-port',
] as const

export async function startJaeger(folder: string): Promise<JaegerEngine> {
  const ports: number[] = []
  for (const _ of PORTS) ports.push(await freePort())
  const [collectorPort, queryPort] = ports as [number, number]
  const process = new EngineProcess({
    name: 'Jaeger',
    file: commandPath(JAEGER_COMMAND),
    args: [
      ...PORTS.map((name, i) => `--${name}=127.0.0.1:${ports[i]}`),
      ...['--collector.otlp.enabled=true', `--memory.max-traces=${MAX_TRACES}`, '--log-level=warn'],
    ],
    logFile: path.join(folder, 'jaeger.log'),
    isReady: async () => (await answersAt(collectorPort)) && (await answersAt(queryPort)),
    withinMs: 20_000,
  })
  await process.start()
  return {
    collectorUrl: `http://127.0.0.1:${collectorPort}`,
    queryUrl: `http://127.0.0.1:${queryPort}`,
    process,
  }
}
