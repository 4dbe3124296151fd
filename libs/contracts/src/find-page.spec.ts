import { findPage } from './find-page.js'
import { pages } from './pages.js'

describe('the page at an address', () => {
  it('is found with the id in the address', () => {
    expect(findPage('/')).toEqual({ page: pages.home, id: null })
    expect(findPage('/dispute-resolution')).toEqual({ page: pages.disputeResolution, id: null })
    expect(findPage('/listing/7')).toEqual({ page: pages.listing, id: 7 })
    expect(findPage('/invitation/any-token')).toEqual({ page: pages.invitation, id: null })
  })

  it('is found in any case and with a slash at its end, as the router of the web app finds it', () => {
    expect(findPage('/Browse')?.page).toBe(pages.browse)
    expect(findPage('/listing/7/')).toEqual({ page: pages.listing, id: 7 })
  })

  it.each([
    '',
    '//',
    '/nothing',
    '/browse/more',
    '/browser',
    '/listing',
    '/listing/7/more',
    '/listing/abc',
    '/transaction/0',
  ])('does not exist at %j', pathname => {
    expect(findPage(pathname)).toBeNull()
  })
})
