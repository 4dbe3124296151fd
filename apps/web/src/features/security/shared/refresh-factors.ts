import { routes } from 'virtual:routes'
import { refresh } from '../../../lib/use-call.js'

/** Asks again for what a changed factor changes: the factors, and the sessions that end with the first one. */
export const refreshFactors = (): Promise<void> => refresh(routes.getSecondFactor, routes.listSessions)
