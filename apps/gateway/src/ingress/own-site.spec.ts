import { isOwnSite, ownOrigins } from './own-site.js'

describe('the site that a write comes from', () => {
  const origins = ownOrigins('https://holdfast.example')
  const own = (headers: Record<string, string>) => isOwnSite(headers, origins)

  it('is our own when the origin is ours, or when the client is not a browser', () => {
    expect(own({ origin: 'https://holdfast.example', 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(own({ origin: 'https://holdfast.example' })).toBe(true)
    expect(own({ 'sec-fetch-site': 'none' })).toBe(true)
    expect(own({})).toBe(true)
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://holdfast.example' },
    { origin: 'https://holdfast.example:8443' },
    { origin: 'https://holdfast.example.evil.example' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { origin: 'https://holdfast.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('is foreign with %j', headers => {
    expect(own(headers as Record<string, string>)).toBe(false)
  })

  it('is our own under every name of the loopback address, on the same port only', () => {
    const home = ownOrigins('http://localhost:3000')
    expect([...home]).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    expect(isOwnSite({ origin: 'http://127.0.0.1:3000' }, home)).toBe(true)
    expect(isOwnSite({ origin: 'http://localhost:3100' }, home)).toBe(false)
  })
})
