import { publicRoutes } from '@holdfast/contracts/routes'

/** In tests `virtual:routes` is the contracts themselves: what the build makes of them is a part of each route. */
export const routes = publicRoutes
/** And so is `virtual:admin-routes`. */
export const adminRoutes = publicRoutes
