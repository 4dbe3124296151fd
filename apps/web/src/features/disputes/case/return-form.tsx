import { routes } from 'virtual:routes'
import { TextLink } from '../../../components/link.js'
import { paths } from '../../../lib/paths.js'
import { TrackingForm } from '../../shipping/shared/tracking-form.js'
import { type CaseProps, paramsOf, useCaseCommand } from './case.js'

/** The form in which the buyer says how the item travels back, or corrects it. */
export default function ReturnForm({ dispute }: CaseProps) {
  const { return: shipment, seller } = dispute
  const isSent = Boolean(shipment?.shippedAt)
  const { busy, give } = useCaseCommand(routes.shipReturn, dispute, {
    whether: 'the tracking number was saved',
    done: ['Return saved', `${seller.firstName} sees the tracking number.`],
    refused: 'The tracking number was not saved',
  })
  return (
    <>
      {!isSent && (
        <p className="max-w-text text-ink-soft">
          Ask {seller.firstName} for the address in the{' '}
          <TextLink to={`${paths.transaction(dispute.transactionId)}#messages`}>chat of the transaction</TextLink>. Send
          it with a tracking number, so that the carrier can say when it arrived.
        </p>
      )}
      <TrackingForm
        draft={`return:${dispute.id}`}
        saved={shipment}
        save={{ busy, give: body => give({ params: paramsOf(dispute), body }) }}
        button={isSent ? 'Correct the Number' : 'I Have Sent It Back'}
        kind={isSent ? 'quiet' : 'primary'}
      />
    </>
  )
}
