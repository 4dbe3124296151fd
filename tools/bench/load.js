// A closed loop over raw sockets: each client waits for its answer before it sends the next request. It uses as little
// processor time as it can, since it shares the machine with what it measures.
import { createHmac } from 'node:crypto'
import net from 'node:net'
import { LISTINGS, sessionToken, totalOf } from './prepare.js'

const options = JSON.parse(process.argv[2])
const { kind, port, clients, seconds, warmUpSeconds, deals, webhookSecret, path } = options
const HOST = `localhost:${port}`
const ACCEPTED = new Set(['200', '201'])

let measuring = false
let stopped = false
let answered = 0
let bad = 0
let firstBad = ''
const latencies = []
let nextFund = deals?.toFund
let nextAccept = deals?.toAccept
let nextListing = 0

const request = (line, headers, body = '') =>
  `${line} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}${body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''}\r\n${body}`

const REQUESTS = {
  accept() {
    const id = nextAccept++
    if (id >= deals.toAccept + deals.count) throw new Error('the load ran out of deals to accept')
    const headers = `Cookie: holdfast_session=${sessionToken(id % 2000)}\r\nOrigin: http://${HOST}\r\nIdempotency-Key: bench-${id}\r\nContent-Length: 0\r\n`
    return request(`POST /api/transactions/${id}/accept`, headers)
  },
  fund() {
    const id = nextFund++
    if (id >= deals.toFund + deals.count) throw new Error('the load ran out of deals to fund')
    const body = webhookBody(id)
    const at = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex')
    return request(
      `POST /api/webhooks/stripe`,
      `Stripe-Signature: t=${at},v1=${v1}\r\nContent-Type: application/json\r\n`,
      body,
    )
  },
  listing() {
    const id = 1 + ((nextListing++ * 7919) % LISTINGS)
    return request(`GET ${path}${id}`, 'Accept: application/json\r\n')
  },
}

/** A funding event as large as Stripe's. */
function webhookBody(id) {
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

function client(make) {
  const socket = net.connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  let received = ''
  let askedAt = 0
  const ask = () => {
    if (stopped) return socket.end()
    askedAt = performance.now()
    return socket.write(make())
  }
  socket.on('connect', ask)
  socket.on('error', error => {
    if (!stopped) throw error
  })
  socket.on('data', chunk => {
    received += chunk
    const length = answerLength(received)
    if (length === null || received.length < length) return
    answered++
    const status = received.slice(9, 12)
    if (!ACCEPTED.has(status)) {
      bad++
      firstBad ||= received.slice(0, 600)
    } else if (measuring) latencies.push(performance.now() - askedAt)
    received = received.slice(length)
    ask()
  })
}

/** Length of the first answer in the text; null while its head is incomplete. */
function answerLength(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end)
  const length = /content-length: (\d+)/i.exec(head)
  if (length) return end + 4 + Number(length[1])
  const last = text.indexOf('0\r\n\r\n', end)
  return last < 0 ? Number.POSITIVE_INFINITY : last + 5
}

const makers = kind === 'money' ? [REQUESTS.accept, REQUESTS.fund] : [REQUESTS.listing]
for (let n = 0; n < clients; n++) client(makers[n % makers.length])

setTimeout(() => {
  measuring = true
  const began = performance.now()
  setTimeout(() => {
    measuring = false
    stopped = true
    const elapsed = (performance.now() - began) / 1000
    latencies.sort((a, b) => a - b)
    const at = share => latencies[Math.floor((latencies.length - 1) * share)]
    const { user, system } = process.cpuUsage()
    const cpuSeconds = (user + system) / 1e6
    process.send({ rate: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), answered, cpuSeconds, bad, firstBad })
    // Requests that were sent are answered before the sockets close.
    setTimeout(() => process.exit(0), 500)
  }, seconds * 1000)
}, warmUpSeconds * 1000)
