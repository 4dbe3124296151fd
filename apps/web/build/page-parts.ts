import type { Rolldown } from 'vite'
import { ROUTER } from './page-files.ts'

/** Which modules import a module. Rolldown knows it when it groups modules into files. */
type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

/**
 * Whether at least `of` pages need a module before they are shown, and none of the pages `without` does. Code that a page loads
 * later does not count. Rolldown's own `minShareCount` would count it.
 */
export function isPartOfPages(
  module: string,
  graph: Graph,
  { of, without }: { readonly of: number; readonly without: RegExp },
): boolean {
  const pages = pagesThatNeed(module, graph)
  return pages.length >= of && !pages.some(page => without.test(page))
}

function pagesThatNeed(module: string, graph: Graph): readonly string[] {
  const seen = new Set<string>()
  const pages: string[] = []
  const visit = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    const info = graph.getModuleInfo(id)
    if (info?.dynamicImporters.some(importer => importer.endsWith(ROUTER))) pages.push(id)
    for (const importer of info?.importers ?? []) visit(importer)
  }
  visit(module)
  return pages
}
