/** The sign-in providers for which the sign-in screen has buttons (spec section 2, Auth), and what they are called there. */
export const SIGN_IN_PROVIDERS = ['google', 'apple', 'microsoft'] as const
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number]

export const SIGN_IN_PROVIDER_LABELS: Record<SignInProvider, string> = {
  google: 'Google',
  apple: 'Apple',
  microsoft: 'Microsoft',
}
