import { routes } from 'virtual:routes'
import { useState } from 'react'
import { dialogOnDemand } from '../../../components/dialog-on-demand.js'
import { Notice } from '../../../components/notice.js'
import { QueryState } from '../../../components/query-state.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { useCall } from '../../../lib/use-call.js'
import { AuthenticatorPart } from './authenticator-part.js'
import { ConfirmOnDemand } from './confirm-on-demand.js'
import type { NewCodesDialogProps } from './new-codes-dialog.js'
import { PasskeysPart } from './passkeys-part.js'
import { RecoveryCodesPart } from './recovery-codes-part.js'
import { useConfirmed } from './use-confirmed.js'

const NewCodesDialog = dialogOnDemand<NewCodesDialogProps>(() => import('./new-codes-dialog.js'))

/**
 * The second factor of the signed-in user: its state, and how to add and remove one.
 *
 * @param onReady called when a factor was added, and its recovery codes were seen
 */
export default function SecuritySection({ onReady }: { onReady?: () => void }) {
  const query = useCall(routes.getSecondFactor, {})
  const confirmed = useConfirmed()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const added = (recoveryCodes: readonly string[] | null) => (recoveryCodes ? setCodes(recoveryCodes) : onReady?.())
  return (
    <>
      <QueryState query={query} errorTitle="The second factor could not be loaded" loading={<SecuritySkeleton />}>
        {state => {
          const hasFactor = state.authenticator !== null || state.passkeys.length > 0
          return (
            <div className="grid gap-10">
              {hasFactor ? (
                <Notice tone="held" title="Two steps protect your account">
                  Your password alone does not open it.
                  {state.isRequired && ' As an admin you keep at least one second factor.'}
                </Notice>
              ) : (
                <Notice tone={state.isRequired ? 'needs' : 'plain'} title="Your password alone opens your account">
                  {state.isRequired
                    ? 'As an admin you need a second factor. Set up one of these.'
                    : 'With a second factor, somebody who learns your password still cannot sign in. You are signed out everywhere else when you add one.'}
                </Notice>
              )}
              <div className="grid grid-cols-1 gap-10 lg:grid-cols-2 lg:gap-16">
                <AuthenticatorPart state={state} confirmed={confirmed} onAdded={added} />
                <PasskeysPart state={state} confirmed={confirmed} onAdded={added} />
                {hasFactor && (
                  <RecoveryCodesPart left={state.recoveryCodesLeft} confirmed={confirmed} onRenewed={setCodes} />
                )}
              </div>
            </div>
          )
        }}
      </QueryState>
      <ConfirmOnDemand confirmed={confirmed} />
      <NewCodesDialog
        open={codes !== null}
        codes={codes ?? []}
        onClose={() => {
          setCodes(null)
          onReady?.()
        }}
      />
    </>
  )
}

function SecuritySkeleton() {
  return (
    <Loading label="Loading the second factor">
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="mt-8 h-48 w-full rounded-lg" />
    </Loading>
  )
}
