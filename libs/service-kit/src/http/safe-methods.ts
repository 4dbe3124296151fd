/** Whether a method is safe: it changes nothing at the server (RFC 9110, section 9.2.1). */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
