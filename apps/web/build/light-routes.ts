import type { Plugin } from 'vite'

interface PublicRoute {
  readonly method: string
  readonly path: string
  readonly access: string
}

const ADMIN = { id: 'virtual:admin-routes', name: 'adminRoutes' }
const OTHERS = { id: 'virtual:routes', name: 'routes' }

/**
 * Makes the modules `virtual:routes` and `virtual:admin-routes`: name → method, path and access of every public route, read from
 * the built contracts. The schemas stay on the server, the types in `routes.d.ts`. Each route is a module of its own, so that the
 * browser loads a route with the first page that calls it, and never one that no page calls.
 */
export function lightRoutes(): Plugin {
  return {
    name: 'holdfast:light-routes',
    resolveId: id => (parse(id) ? { id: `\0${id}`, moduleSideEffects: false } : undefined),
    async load(id) {
      const wanted = id.startsWith('\0') ? parse(id.slice(1)) : undefined
      if (!wanted) return undefined
      const { table, part } = wanted
      const routes = await lightTable(table === ADMIN)
      if (!part) return `export * as ${table.name} from '${table.id}/all'`
      if (part !== 'all') return `export default ${JSON.stringify(routes[part])}`
      return Object.keys(routes)
        .map(name => `export { default as ${name} } from '${table.id}/${name}'`)
        .join('\n')
    },
  }
}

/** `virtual:routes` → the table; `virtual:routes/signIn` → one part of it */
function parse(id: string) {
  const table = [ADMIN, OTHERS].find(each => id === each.id || id.startsWith(`${each.id}/`))
  return table && { table, part: id.slice(table.id.length + 1) }
}

/** @throws when libs/contracts is not built (`npm run build` builds it first) */
async function lightTable(ofAdmins: boolean): Promise<Record<string, PublicRoute>> {
  const { publicRoutes }: { publicRoutes: Record<string, PublicRoute> } = await import('@holdfast/contracts/routes')
  return Object.fromEntries(
    Object.entries(publicRoutes)
      .filter(([, { access }]) => (access === 'admin') === ofAdmins)
      .map(([name, { method, path, access }]) => [name, { method, path, access }]),
  )
}
