import type { IntentRecord } from './records.js'

/** Whether a payment is paid by bank transfers of its customer. */
export const isByTransfer = ({ customerId, methodTypes }: IntentRecord): boolean =>
  customerId !== undefined && methodTypes.includes('customer_balance')
