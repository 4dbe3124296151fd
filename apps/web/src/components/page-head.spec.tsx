import { pages } from '@holdfast/contracts/pages'
import { render } from '@testing-library/react'
import { PageHead } from './page-head.js'

test('the document is titled as its page, or as what the page is about', () => {
  const { rerender } = render(<PageHead page={pages.browse} />)
  expect(document.title).toBe('Browse Items · Holdfast')
  rerender(<PageHead page={pages.listing} title="Oak chair" />)
  expect(document.title).toBe('Oak chair · Holdfast')
  rerender(<PageHead page={pages.home} />)
  expect(document.title).toBe('Holdfast')
})
