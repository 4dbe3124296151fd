/** The injection token of the configuration, which is not a class. */
export const GATEWAY_CONFIG = Symbol('gateway configuration')
