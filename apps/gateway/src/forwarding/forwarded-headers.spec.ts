import { FORWARDED_RESPONSE_HEADERS, forwardedRequestHeaders } from './forwarded-headers.js'

describe('the forwarded headers', () => {
  it('of a request are only those that a service needs', () => {
    const passed = {
      'content-type': 'application/json',
      'idempotency-key': 'k',
      'if-match': '"v"',
      'if-none-match': '"v"',
      'stripe-signature': 't=1',
      'x-coinify-webhook-signature': 'c',
      'x-hmac-signature': 'h',
      'x-twilio-signature': 't',
      'user-agent': 'browser',
    }
    const kept = {
      cookie: 'holdfast_session=x',
      authorization: 'Bearer x',
      host: 'evil.example',
      connection: 'close',
      'transfer-encoding': 'chunked',
      'content-length': '5',
      'x-holdfast-actor': 'v1.forged',
      'x-request-id': 'chosen',
      'x-forwarded-for': '6.6.6.6',
      traceparent: '00-a-b-01',
      'x-http-method-override': 'DELETE',
    }
    expect(forwardedRequestHeaders({ ...passed, ...kept })).toEqual(passed)
  })

  it('of an answer contain none that belong to a single connection', () => {
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade', 'x-request-id']) {
      expect(FORWARDED_RESPONSE_HEADERS).not.toContain(name)
    }
  })
})
