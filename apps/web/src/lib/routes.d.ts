declare module 'virtual:routes' {
  import type { PublicRoutes } from '@holdfast/contracts/routes'
  import type { LightRoute } from '@holdfast/http-client/call'

  /** Every public route without its schemas; the types of input and answer come along. */
  export const routes: { readonly [Name in keyof PublicRoutes]: LightRoute<PublicRoutes[Name]> }
}
