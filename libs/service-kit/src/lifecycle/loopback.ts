/** The names of this machine as an address has them. The loopback address has three. */
export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
