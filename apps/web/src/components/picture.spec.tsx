import { fireEvent, render, screen } from '@testing-library/react'
import { Picture } from './picture.js'

const SRC = `/api/images/${'a'.repeat(64)}`

const shown = () => screen.getByRole<HTMLImageElement>('img')
const attributes = (...names: string[]) => names.map(name => shown().getAttribute(name))

test('a picture offers its widths, keeps its space and is loaded when it is nearly in view', () => {
  render(<Picture src={SRC} alt="Chair" sizes="50vw" />)
  expect(shown().srcset.split(', ')).toEqual([160, 320, 512, 720, 1440].map(width => `${SRC}/${width} ${width}w`))
  expect(attributes('src', 'sizes', 'width', 'height', 'loading', 'fetchpriority')).toEqual([
    SRC,
    '50vw',
    '3',
    '2',
    'lazy',
    null,
  ])
})

test('the first picture of a page is loaded before everything else', () => {
  render(<Picture src={SRC} alt="Chair" sizes="50vw" loading="first" />)
  expect(attributes('loading', 'fetchpriority', 'decoding')).toEqual(['eager', 'high', 'sync'])
})

test('when no width can be loaded, the stored picture is tried, and then a placeholder is shown', () => {
  const { rerender } = render(<Picture src={SRC} alt="Chair" sizes="50vw" />)
  fireEvent.error(shown())
  expect(attributes('src', 'srcset', 'sizes')).toEqual([SRC, null, null])
  fireEvent.error(shown())
  expect(screen.getByRole('img', { name: 'Chair (no picture)' }).tagName).not.toBe('IMG')
  rerender(<Picture src={`${SRC.slice(0, -1)}b`} alt="Chair" sizes="50vw" />)
  expect(shown().srcset).not.toBe('')
})

test('a picture from elsewhere has no widths, and a placeholder when it fails', () => {
  render(<Picture src="data:image/png;base64,AAAA" alt="Chair" sizes="50vw" />)
  expect(shown().srcset).toBe('')
  fireEvent.error(shown())
  expect(screen.getByRole('img', { name: 'Chair (no picture)' })).toBeDefined()
})
