import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Deal } from '../support/deal.js'
import { required } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'

/** The lines of the logs of a service's replicas that contain the request's id. */
const linesOf = (service, requestId) =>
  readdirSync(required('LOGS_DIR'))
    .filter(file => file.replace(/(-\d+)?\.log$/, '') === service)
    .flatMap(file =>
      readFileSync(path.join(required('LOGS_DIR'), file), 'utf8')
        .split('\n')
        // The text after the last line break may be an incomplete line.
        .slice(0, -1)
        .filter(line => line.includes(requestId)),
    )
    .map(line => JSON.parse(line))

const finds = (what, service, requestId, test) =>
  eventually(`the log of ${service} has ${what}`, () => linesOf(service, requestId).find(test))

export const oneRequest = [
  journey(
    'the id of one request is in the logs of the gateway, of the service that handled it and of those that handled its event',
    async () => {
      const deal = await Deal.at('inspection')
      const { status, headers } = await deal.buyer.call('POST', `${deal.path}/accept`)
      assert.equal(status, 200)
      const id = headers.get('x-request-id')
      const request = line => line.msg === 'request' && line.method === 'POST' && line.status === 200
      await finds('the request', 'gateway', id, request)
      await finds('the request', 'escrow-svc', id, line => request(line) && line.userId === deal.buyer.id)
      const isEvent = line => line.msg === 'event' && line.type.startsWith('escrow.transaction.')
      await finds('the event', 'messaging-svc', id, isEvent)
      await finds('the event', 'listing-svc', id, isEvent)
    },
  ),
]
