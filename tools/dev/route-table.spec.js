import { pages } from '@holdfast/contracts/pages'
import { ROUTES } from '../../e2e/screens/routes.js'

/** A path and its access, as text. */
const rowOf = ({ path, access }) => `${path} ${access}`

it('the journeys walk every page, each with the access that the web app gives it', () => {
  expect(ROUTES.map(rowOf).toSorted()).toEqual(Object.values(pages).map(rowOf).toSorted())
})

it('the titles that the journeys expect are those of the pages', () => {
  const titles = new Map(Object.values(pages).map(({ path, title }) => [path, title]))
  // Where a heading depends on the data and no title stands beside it, the tab shows the same data.
  for (const { path, heading, title = heading } of ROUTES)
    if (typeof title === 'string' && !path.startsWith('/checkout'))
      expect([path, title]).toEqual([path, titles.get(path)])
})
