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
 * the built contracts. The browser gets about a kilobyte of table, and that of the console only with the console; the schemas stay
 * on the server, the types in `routes.d.ts`.
 */
export function lightRoutes(): Plugin {
  const moduleOf = (resolved: string) => [ADMIN, OTHERS].find(({ id }) => resolved === `\0${id}`)
  return {
    name: 'holdfast:light-routes',
    resolveId: id => (id === ADMIN.id || id === OTHERS.id ? `\0${id}` : undefined),
    async load(id) {
      const wanted = moduleOf(id)
      return wanted && `export const ${wanted.name} = ${JSON.stringify(await lightTable(wanted === ADMIN))}`
    },
  }
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
