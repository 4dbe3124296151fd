// The requests of the loads, as text for a raw socket.
import { createHmac } from 'node:crypto'
import { BUYERS, LISTINGS, sessionCookie, totalOf } from './prepare.js'

/**
 * Money commands: `accept` makes the next acceptance by a buyer, `fund` the next signed webhook that funds a deal. Each is one
 * committed command. Answers `{ accept, fund }`. Both throw when no prepared deal is left.
 */
export function moneyRequests({ port, deals, webhookSecret }) {
  const host = `localhost:${port}`
  let nextAccept = deals.toAccept
  let nextFund = deals.toFund
  return {
    accept() {
      const id = nextAccept++
      if (id >= deals.toAccept + deals.count) throw new Error('the load ran out of deals to accept')
      const cookie = `Cookie: ${sessionCookie(id % BUYERS)}\r\nOrigin: http://${host}\r\n`
      const head = `${cookie}Idempotency-Key: bench-${id}\r\nContent-Length: 0\r\n`
      return `POST /api/transactions/${id}/accept HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n`
    },
    fund() {
      const id = nextFund++
      if (id >= deals.toFund + deals.count) throw new Error('the load ran out of deals to fund')
      const body = fundingEvent(id)
      const signed = `Stripe-Signature: ${signatureOf(body, webhookSecret)}\r\nContent-Type: application/json\r\n`
      const head = `${signed}Content-Length: ${Buffer.byteLength(body)}\r\n`
      return `POST /api/webhooks/stripe HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n${body}`
    },
  }
}

/** Answers a function that makes the next GET of a listing below `path`. */
export function listingRequests({ port, path }) {
  let next = 0
  return () => {
    const id = 1 + ((next++ * 7919) % LISTINGS)
    return `GET ${path}${id} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: application/json\r\n\r\n`
  }
}

/** The value of Stripe's header that signs a webhook now. */
export function signatureOf(body, webhookSecret) {
  const at = Math.floor(Date.now() / 1000)
  return `t=${at},v1=${createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex')}`
}

/** A funding event of a prepared deal, as large as Stripe's, as JSON text. */
export function fundingEvent(id) {
  const amount = totalOf(id)
  return JSON.stringify({
    id: `evt_bench_${id}`,
    object: 'event',
    api_version: '2026-08-26.dahlia',
    created: Math.floor(Date.now() / 1000),
    type: 'payment_intent.succeeded',
    livemode: false,
    pending_webhooks: 1,
    data: {
      object: {
        id: `pi_bench_${id}`,
        object: 'payment_intent',
        amount,
        amount_received: amount,
        currency: 'usd',
        client_secret: null,
        description: `Holdfast transaction #${id}`,
        last_payment_error: null,
        latest_charge: `ch_bench_${id}`,
        livemode: false,
        metadata: { transaction_id: String(id) },
        payment_method_types: ['card'],
        status: 'succeeded',
      },
    },
  })
}
