import { paths } from '../../lib/paths.js'
import { pageAfterSignIn } from './page-after-sign-in.js'

test('the sign-in screen leads only to a page of the web app', () => {
  const after = (query: string) => pageAfterSignIn(new URLSearchParams(query))
  expect(after(paths.authThen('/invitation/a_b?x=1').slice(5))).toBe('/invitation/a_b?x=1')
  for (const next of [
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:1',
  ])
    expect(after(`next=${encodeURIComponent(next)}`)).toBe(paths.dashboard)
})
