import { RouteTable } from './route-table.js'

describe('the methods of a path', () => {
  const table = new RouteTable()
  table.add('GET', '/api/listings/:id')
  table.add('PATCH', '/api/listings/:id')
  table.add('GET', '/*')

  it('are those of every route that matches it', () => {
    expect(table.methodsOf('/api/listings/7?x=1')).toEqual(['GET', 'PATCH'])
    expect(table.methodsOf('/api/other')).toEqual([])
  })

  it('are none for a parameter that is longer than any route accepts, so the answer is 404', () => {
    expect(table.methodsOf(`/api/listings/${'7'.repeat(100)}`)).toEqual(['GET', 'PATCH'])
    expect(table.methodsOf(`/api/listings/${'7'.repeat(101)}`)).toEqual([])
  })
})
