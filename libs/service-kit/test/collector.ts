import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP carries it, with its attributes by name. */
export interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string }[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
}

type Value = Readonly<Record<string, unknown>>
interface Sent extends Omit<ExportedSpan, 'attributes'> {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** A collector that keeps what it gets. `answers: false`: it accepts connections and never answers. */
export async function startCollector({ answers = true } = {}) {
  const spans: ExportedSpan[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (!answers) return
    bodies.push(body)
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }
    for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans)))
      spans.push({
        ...span,
        attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    named: (name: string) => spans.filter(span => span.name === name),
    /** Everything that was sent, as text. */
    text: () => bodies.join('\n'),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
