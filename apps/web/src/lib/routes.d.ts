declare module 'virtual:routes' {
  import type { PublicRoutes } from '@holdfast/contracts/routes'
  import type { LightRoute } from '@holdfast/http-client/call'

  /** Every public route that is not for admins, without its schemas; the types of input and answer come along. */
  export const routes: {
    readonly [Name in keyof PublicRoutes as PublicRoutes[Name] extends { access: 'admin' } ? never : Name]: LightRoute<
      PublicRoutes[Name]
    >
  }
}

declare module 'virtual:admin-routes' {
  import type { PublicRoutes } from '@holdfast/contracts/routes'
  import type { LightRoute } from '@holdfast/http-client/call'

  /** The same for the routes of admins. Only pages of admins import it. */
  export const routes: {
    readonly [Name in keyof PublicRoutes as PublicRoutes[Name] extends { access: 'admin' } ? Name : never]: LightRoute<
      PublicRoutes[Name]
    >
  }
}
