import { readdirSync } from 'node:fs'
import path from 'node:path'
import { type Page, pages } from '@holdfast/contracts/pages'
import type { RouteObject } from 'react-router-dom'
import { stubGlobals } from '../../test/stub-globals.js'
import { createRouter, routes } from './router.js'

const FEATURES = path.join(import.meta.dirname, '../features')
const all = (list: readonly RouteObject[]): RouteObject[] =>
  list.flatMap(route => [route, ...all(route.children ?? [])])
const paths = all(routes).flatMap(route => route.path ?? [])

test('every page of the table has one route, and everything else is the page for unknown addresses', () => {
  const wanted = Object.values<Page>(pages).map(page => page.path)
  expect(paths.toSorted()).toEqual([...wanted, '*'].toSorted())
})

test('the code of each page is in the file by whose name the gateway finds it', () => {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).map(file => path.basename(file))
  // The old name of the payment page has no code of its own.
  const names = Object.keys(pages).filter(name => name !== 'checkout')
  const found = names.filter(name => {
    const file = `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}-page.tsx`
    return files.filter(each => each === file).length === 1
  })
  expect(found).toEqual(names)
})

test('a page that is loaded anew has a key of its own, also where the browser makes no random numbers because there is no HTTPS', () => {
  const unstub = stubGlobals({ crypto: {} })
  window.history.replaceState(null, '')
  const router = createRouter()
  expect(router.state.location.key).not.toBe('default')
  router.dispose()
  unstub()
})
