import { EVENT_TRANSPORT } from '@holdfast/events/transport'
import { parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { type DynamicModule, Global, Module } from '@nestjs/common'
import { gatewayShape } from '../src/config.js'
import { gatewayService } from '../src/service.js'
import { FakeServices } from './fake-services.js'
import { FakeTransport } from './fake-transport.js'

export interface Asked {
  readonly token?: string
  readonly headers?: Record<string, string>
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type Changes = Record<string, string>

/** A module that provides the transport in place of the embedded log. */
function eventLogOf(transport: FakeTransport): DynamicModule {
  @Global()
  @Module({})
  class FakeLogModule {}
  const providers = [{ provide: EVENT_TRANSPORT, useValue: transport }]
  return { module: FakeLogModule, providers, exports: [EVENT_TRANSPORT] }
}

/** A gateway that listens on a port, in front of fake services. */
export class RunningGateway {
  readonly services = new FakeServices()
  readonly transport = new FakeTransport()
  running!: RunningService

  /** @param changes variables that differ from those of the fake services */
  async start(changes: Changes | ((environment: Changes) => Promise<Changes>) = {}): Promise<this> {
    await this.services.start()
    const environment = this.services.environment()
    const changed = typeof changes === 'function' ? await changes(environment) : changes
    const config = parseConfig(gatewayShape, { ...environment, ...changed })
    this.running = await startService(gatewayService(config, eventLogOf(this.transport)))
    return this
  }

  async stop(): Promise<void> {
    await this.running.close()
    await this.services.stop()
  }

  get origin(): string {
    return `http://127.0.0.1:${this.running.port}`
  }

  ask(method: string, path: string, { token, headers, body, signal }: Asked = {}): Promise<Response> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    return fetch(this.origin + path, {
      method,
      headers: {
        ...(token ? { cookie: `other=1; holdfast_session=${token}` } : {}),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  }

  /** Status and code of a refusal, or the status and null of an answer without a code. */
  async codeOf(method: string, path: string, asked?: Asked): Promise<[number, string | null]> {
    const response = await this.ask(method, path, asked)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return [response.status, isJson ? ((JSON.parse(text) as { code?: string }).code ?? null) : null]
  }
}
