import { pages } from '@holdfast/contracts/pages'
import { afterEach, expect, test } from '@jest/globals'
import { cleanup, render } from '@testing-library/react'
import { PageHead } from './page-head.js'

afterEach(cleanup)

const description = () => document.querySelector('meta[name="description"]')?.getAttribute('content')

test('the document is titled and described as its page, or as what the page is about', () => {
  const { rerender } = render(<PageHead page={pages.browse} />)
  expect(document.title).toBe('Browse Items · Holdfast')
  expect(description()).toBe(pages.browse.description)
  rerender(<PageHead page={pages.listing} title="Oak chair" description="Sturdy" />)
  expect(document.title).toBe('Oak chair · Holdfast')
  expect(description()).toBe('Sturdy')
  rerender(<PageHead page={pages.home} />)
  expect(document.title).toBe('Holdfast')
})
