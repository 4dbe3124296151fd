import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { serverWords } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { toastError } from '../../lib/toast.js'
import { useCommand } from '../../lib/use-command.js'
import { acceptsByThis } from '../deal/shared/command-words.js'
import { MISSING_NUMBER, TrackingForm } from './shared/tracking-form.js'

/** The form in which the seller saves or corrects the tracking number. It is labelled optional (spec section 5). */
export default function EditableShipping({ transaction }: { transaction: Transaction }) {
  const { id, status } = transaction
  const { busy, give } = useCommand(routes.saveTracking, {
    whether: 'the tracking number was saved',
    done: () => ['Tracking Updated', 'Tracking information has been saved successfully.'],
    refused: error => ['Error', serverWords(error, 'Failed to update tracking information.')],
    refresh: () => refreshAfter({ kind: 'transaction', transactionId: id }),
  })
  return (
    <TrackingForm
      draft={`shipping:${id}`}
      saved={transaction}
      save={{ busy, give: body => give({ params: { id: String(id) }, body }) }}
      isLabelledOptional
      button="Save Tracking Info"
      onMissing={() => toastError('Error', MISSING_NUMBER)}
    >
      <p className="text-sm text-ink-soft">
        {status === 'shipped'
          ? 'While the item travels you can correct the number.'
          : `${acceptsByThis(transaction)}Saving a number says that you have shipped. Without a carrier, hand the item over in person from the transaction page instead.`}
      </p>
    </TrackingForm>
  )
}
