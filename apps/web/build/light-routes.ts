import type { Plugin } from 'vite'

interface PublicRoute {
  readonly method: string
  readonly path: string
  readonly access: string
}

/** The modules and the routes in each. The pages of the console are the only ones that call the routes of admins. */
const MODULES: Readonly<Record<string, (route: PublicRoute) => boolean>> = {
  'virtual:routes': ({ access }) => access !== 'admin',
  'virtual:admin-routes': ({ access }) => access === 'admin',
}

/**
 * Makes the modules `virtual:routes` and `virtual:admin-routes`: name → method, path and access of the public routes, read from
 * the built contracts. The browser gets about a kilobyte of table; the schemas stay on the server, the types in `routes.d.ts`.
 */
export function lightRoutes(): Plugin {
  return {
    name: 'holdfast:light-routes',
    resolveId: id => (id in MODULES ? `\0${id}` : undefined),
    async load(id) {
      const belongs = MODULES[id.slice(1)]
      return belongs && `export const routes = ${JSON.stringify(await lightTable(belongs))}`
    },
  }
}

/** @throws when libs/contracts is not built (`npm run build` builds it first) */
async function lightTable(belongs: (route: PublicRoute) => boolean): Promise<Record<string, PublicRoute>> {
  const { publicRoutes }: { publicRoutes: Record<string, PublicRoute> } = await import('@holdfast/contracts/routes')
  return Object.fromEntries(
    Object.entries(publicRoutes)
      .filter(([, route]) => belongs(route))
      .map(([name, { method, path, access }]) => [name, { method, path, access }]),
  )
}
