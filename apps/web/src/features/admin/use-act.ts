import { adminRoutes } from 'virtual:admin-routes'
import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute } from '@holdfast/http-client/call'
import { refusedFields } from '../../lib/command-outcome.js'
import { refresh } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../security/shared/use-confirmed.js'

interface ActOptions<R extends RouteDefinition> {
  /** Completes "We could not tell whether …". */
  readonly whether: string
  readonly done: (answer: Output<R>) => readonly [title: string, description?: string]
  /** Runs after success: closes the form. */
  readonly onDone: (answer: Output<R>) => void
}

/**
 * Gives an act of an admin, and asks again for everything that the console shows. Answers the fields that were refused. The form of an act
 * whose route `needsProof` shows `ConfirmOnDemand` with `confirmed`.
 */
export function useAct<R extends RouteDefinition>(route: LightRoute<R>, { whether, done, onDone }: ActOptions<R>) {
  const { give, busy } = useCommand<R>(route, {
    whether,
    done,
    refused: error =>
      error.code === CONFIRMATION_REQUIRED || Object.keys(error.fields).length > 0
        ? null
        : ['Not done', error.serverMessage],
    refresh: refreshConsole,
    onDone,
  })
  const confirmed = useConfirmed()
  const send = async (input: Input<R>) => refusedFields(await confirmed.run(() => give(input)))
  return { send, busy, confirmed }
}

/** Everything that the console reads. One act can change several of them. */
const READS = [
  adminRoutes.listApprovals,
  adminRoutes.listUnfinishedRefunds,
  adminRoutes.listOpenPayouts,
  adminRoutes.listStuck,
  adminRoutes.listDeadLetters,
  adminRoutes.listEventsForOperators,
  adminRoutes.countEventsForOperators,
  adminRoutes.getTrialBalance,
  adminRoutes.listAccounts,
  adminRoutes.getStatement,
  adminRoutes.listUsers,
  adminRoutes.getUser,
  adminRoutes.listEnquiries,
  adminRoutes.listVerifications,
  adminRoutes.listAudit,
]
const refreshConsole = () => refresh(...READS)
