declare module 'virtual:routes' {
  import type { PublicRoutes } from '@holdfast/contracts/routes'
  import type { LightRoute } from '@holdfast/http-client/call'

  /** Every public route that is not of admins alone, without its schemas; the types of input and answer come along. */
  export const routes: {
    readonly [Name in keyof PublicRoutes as PublicRoutes[Name]['access'] extends 'admin' ? never : Name]: LightRoute<
      PublicRoutes[Name]
    >
  }
}

declare module 'virtual:admin-routes' {
  import type { PublicRoutes } from '@holdfast/contracts/routes'
  import type { LightRoute } from '@holdfast/http-client/call'

  /** The routes of admins. They are a module of their own, so that only the pages of admins load them. */
  export const adminRoutes: {
    readonly [Name in keyof PublicRoutes as PublicRoutes[Name]['access'] extends 'admin' ? Name : never]: LightRoute<
      PublicRoutes[Name]
    >
  }
}
