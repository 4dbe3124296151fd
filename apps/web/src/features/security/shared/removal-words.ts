import type { SecondFactorState } from '@holdfast/contracts/second-factor'

/** What the removal of a factor means: with the last one the second step ends. */
export function removalWords({ authenticator, passkeys }: SecondFactorState): string {
  const count = passkeys.length + (authenticator ? 1 : 0)
  return count > 1
    ? 'You can still show what is left when you sign in. Delete it on your device, too: it is of no use any more.'
    : 'It is your last one. Your password alone then opens your account, and your recovery codes end.'
}
