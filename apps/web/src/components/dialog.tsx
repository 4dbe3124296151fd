import { dialogOnDemand } from './dialog-on-demand.js'
import type { DialogProps } from './dialog-panel.js'

/** A dialog over the page (`DialogPanel`). */
export const Dialog = dialogOnDemand<DialogProps>(() => import('./dialog-panel.js'))
