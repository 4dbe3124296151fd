import { route } from '@holdfast/contracts/route'
import { z } from 'zod'
import { linkFullPage, nextLink } from './next-link.js'

const listThings = route({
  method: 'GET',
  path: '/api/shops/{id}/things',
  access: 'public',
  summary: 'Things',
  params: z.object({ id: z.number() }),
  query: z.object({ q: z.string().optional(), status: z.array(z.string()).optional(), before: z.number().optional() }),
})

describe('nextLink', () => {
  test('has the escaped path and query of the next page', () => {
    expect(nextLink(listThings, { params: { id: 3 }, query: { q: 'Home & Garden', before: 7 } })).toBe(
      '</api/shops/3/things?q=Home+%26+Garden&before=7>; rel="next"',
    )
  })

  test('repeats a parameter with several values, and leaves out one without a value', () => {
    expect(nextLink(listThings, { params: { id: 3 }, query: { status: ['sold', 'active'], q: undefined } })).toBe(
      '</api/shops/3/things?status=sold&status=active>; rel="next"',
    )
  })
})

describe('linkFullPage', () => {
  const linkOf = (page: readonly { id: number }[], limit: number) => {
    const headers: Record<string, unknown> = {}
    const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) as never }
    linkFullPage({ reply }, listThings, { page, limit }, last => ({ params: { id: 3 }, query: { before: last.id } }))
    return headers
  }

  test('links the page after the last row of a full one', () => {
    expect(linkOf([{ id: 9 }, { id: 7 }], 2)).toEqual({ link: '</api/shops/3/things?before=7>; rel="next"' })
  })

  test('adds no link to a page with room for more, nor to an empty one', () => {
    expect([linkOf([{ id: 9 }], 2), linkOf([], 0)]).toEqual([{}, {}])
  })
})
