import { CHECK_TIMEOUT_MS, Health } from '@holdfast/service-kit/lifecycle/health'
import { Injectable } from '@nestjs/common'
import { type Upstream, Upstreams } from './upstreams.js'

/** Adds one check per service to `/readyz?deep=1`: whether the service is ready itself. */
@Injectable()
export class DeepReadiness {
  constructor(health: Health, upstreams: Upstreams) {
    for (const upstream of upstreams.all()) {
      health.add({ name: upstream.service, kind: 'deep', run: () => mustBeReady(upstream) })
    }
  }
}

async function mustBeReady({ service, client }: Upstream): Promise<void> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const { statusCode, body } = await client.pool.request({ method: 'GET', path: '/readyz', origin: '', signal })
  await body.dump()
  if (statusCode !== 200) throw new Error(`${service} answers ${statusCode}`)
}
