import { adminRoutes } from 'virtual:admin-routes'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { fullName } from '../../../lib/current-user.js'
import { type CaseProps, paramsOf, useCaseCommand } from './case.js'

/** A case that another mediator has taken. Taking it over is a decision of its own. */
export default function TakeOver({ dispute }: CaseProps) {
  const [asking, setAsking] = useState(false)
  const take = useCaseCommand(adminRoutes.investigateDispute, dispute, {
    whether: 'the case was taken over',
    done: ['Case taken over', 'Both parties are notified that another mediator has it now.'],
    refused: 'The case was not taken over',
  })
  const close = () => setAsking(false)
  const confirm = async () => {
    await take.give({ params: paramsOf(dispute), body: { status: 'investigating', takeOver: true } })
    close()
  }
  const name = dispute.mediator?.firstName ?? 'another mediator'
  return (
    <section aria-labelledby="taken-title">
      <h2 id="taken-title" className="display text-xl">
        {dispute.mediator
          ? `${fullName(dispute.mediator)} has taken this case`
          : 'Another mediator has taken this case'}
      </h2>
      <p className="mt-1 max-w-text text-ink-soft">
        Both parties know that a mediator looks at it. Take it over when {name} cannot go on with it.
      </p>
      <Button kind="quiet" className="mt-4" onClick={() => setAsking(true)}>
        Take the Case Over
      </Button>
      <AlertDialog
        open={asking}
        onClose={close}
        title={`Take this case over from ${name}?`}
        description={`Talk to ${name} first, so that you do not both work on it. The case and its notes are then yours, and both parties are notified.`}
        confirm="Take It Over"
        busyWords="Taking it over..."
        busy={take.busy}
        onConfirm={() => void confirm()}
      />
    </section>
  )
}
