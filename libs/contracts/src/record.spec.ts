import { z } from 'zod'
import { peopleOf, RECORD_KINDS } from './record.js'
import type { RouteDefinition } from './route.js'
import { publicRoutes } from './routes.js'

const ROUTES = Object.entries<RouteDefinition>(publicRoutes)
const namesOf = (routes: typeof ROUTES) => routes.map(([name]) => name)

describe('the declared access of a route', () => {
  test('says whose record it is, on every public route whose path has a parameter', () => {
    const undeclared = ROUTES.filter(([, { path, record }]) => path.includes('{') && !record)
    expect(namesOf(undeclared)).toEqual([])
  })

  test('names a field of the body when the path names no record', () => {
    const wrong = ROUTES.filter(([, { path, record, body }]) => {
      if (!record) return false
      if (record.namedBy === undefined) return !path.includes('{')
      return path.includes('{') || !(body instanceof z.ZodObject) || !(record.namedBy in body.shape)
    })
    expect(namesOf(wrong)).toEqual([])
  })

  test('gives a record to admins alone on a route of admins, and on no other', () => {
    const isForAdmins = ({ record }: RouteDefinition) => record && peopleOf(record).every(person => person === 'admin')
    const wrong = ROUTES.filter(([, route]) => route.record && isForAdmins(route) !== (route.access === 'admin'))
    expect(namesOf(wrong)).toEqual([])
  })

  test('names only people who may know the record', () => {
    const wrong = ROUTES.filter(
      ([, { record }]) =>
        record && !peopleOf(record).every(each => RECORD_KINDS[record.kind].some(one => one === each)),
    )
    expect(namesOf(wrong)).toEqual([])
  })
})
