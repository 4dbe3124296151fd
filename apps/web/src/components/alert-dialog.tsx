import type { AlertDialogProps } from './alert-dialog-panel.js'
import { dialogOnDemand } from './dialog-on-demand.js'

/** The question before what cannot be undone (`AlertDialogPanel`). */
export const AlertDialog = dialogOnDemand<AlertDialogProps>(() => import('./alert-dialog-panel.js'))
