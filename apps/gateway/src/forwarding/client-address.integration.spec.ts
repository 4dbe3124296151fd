import { RunningGateway } from '../../test/running-gateway.js'

describe('the client’s address', () => {
  it('is taken from X-Forwarded-For only when a trusted proxy sent it', async () => {
    const gateway = await new RunningGateway().start({ TRUSTED_PROXIES: '127.0.0.1/32, 10.0.0.0/8' })
    try {
      const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.2.3' }
      await gateway.ask('GET', '/api/listings', { headers })
      expect(gateway.services.received[0]!.caller!.clientIp).toBe('203.0.113.9')
    } finally {
      await gateway.stop()
    }
  })
})
