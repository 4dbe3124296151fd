import { dialogOnDemand } from '../../../components/dialog-on-demand.js'
import type { ConfirmDialogProps } from './confirm-dialog.js'
import type { Confirmed } from './use-confirmed.js'

const ConfirmDialog = dialogOnDemand<ConfirmDialogProps>(() => import('./confirm-dialog.js'))

/** The dialog that asks who the person is when a command of `confirmed` waits for it. */
export const ConfirmOnDemand = ({ confirmed }: { confirmed: Confirmed }) => (
  <ConfirmDialog open={confirmed.waiting !== null} confirmed={confirmed} />
)
