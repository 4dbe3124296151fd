import { Health } from '@holdfast/service-kit/lifecycle/health'
import { Injectable } from '@nestjs/common'
import { type Upstream, Upstreams } from './upstreams.js'

/** `/readyz?deep=1`: asks every service whether it can serve, and names each. */
@Injectable()
export class DeepReadiness {
  constructor(health: Health, upstreams: Upstreams) {
    for (const upstream of upstreams.all()) {
      health.add({ name: upstream.service, kind: 'deep', run: () => mustBeReady(upstream) })
    }
  }
}

async function mustBeReady({ service, client }: Upstream): Promise<void> {
  const { statusCode, body } = await client.pool.request({ method: 'GET', path: '/readyz', origin: '' })
  await body.dump()
  if (statusCode !== 200) throw new Error(`${service} answers ${statusCode}`)
}
