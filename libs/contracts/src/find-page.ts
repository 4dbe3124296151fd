import { type Page, pages, readId } from './pages.js'

/** A page of the web app, as an address names it. */
export interface FoundPage {
  readonly page: Page
  /** The `:id` of the address; null for a page without one. */
  readonly id: number | null
}

const PATTERNS = Object.values<Page>(pages).map(page => ({ page, pattern: patternOf(page.path) }))

/**
 * The page at an address; null when there is none or when its `:id` is malformed. It reads addresses like the router of the
 * web app: case and a slash at the end do not matter.
 *
 * @param pathname as the client sent it, without the query
 */
export function findPage(pathname: string): FoundPage | null {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(pathname)
    if (!match) continue
    if (!page.path.includes('/:id')) return { page, id: null }
    const id = readId(match[1])
    return id === null ? null : { page, id }
  }
  return null
}

function patternOf(path: string): RegExp {
  const source = path.replace(/:\w+/, '([^/]+)')
  return new RegExp(path === '/' ? '^/$' : `^${source}/?$`, 'i')
}
