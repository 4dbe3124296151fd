import type { Plugin } from 'vite'

const VIRTUAL_ID = 'virtual:routes'
const RESOLVED_ID = `\0${VIRTUAL_ID}`

interface PublicRoute {
  readonly method: string
  readonly path: string
  readonly access: string
}

/**
 * Makes the module `virtual:routes`: name → method, path and access of every public route, read from the built
 * contracts. The browser gets about a kilobyte of table; the schemas stay on the server, the types in `routes.d.ts`.
 */
export function lightRoutes(): Plugin {
  return {
    name: 'holdfast:light-routes',
    resolveId: id => (id === VIRTUAL_ID ? RESOLVED_ID : undefined),
    load: async id => (id === RESOLVED_ID ? `export const routes = ${JSON.stringify(await lightTable())}` : undefined),
  }
}

/** @throws when libs/contracts is not built (`npm run build` builds it first) */
async function lightTable(): Promise<Record<string, PublicRoute>> {
  const { publicRoutes }: { publicRoutes: Record<string, PublicRoute> } = await import('@holdfast/contracts/routes')
  return Object.fromEntries(
    Object.entries(publicRoutes).map(([name, { method, path, access }]) => [name, { method, path, access }]),
  )
}
