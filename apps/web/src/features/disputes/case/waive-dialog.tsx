import { routes } from 'virtual:routes'
import type { DisputeCase } from '@holdfast/contracts/disputes'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { paramsOf, useCaseCommand } from './case.js'
import { otherSide } from './people.js'

interface WaiveDialogProps {
  open: boolean
  onClose: () => void
  dispute: DisputeCase
}

/** The question before a party gives up the right to appeal. */
export function WaiveDialog({ open, onClose, dispute }: WaiveDialogProps) {
  const waive = useCaseCommand(routes.waiveAppeal, dispute, {
    whether: 'you gave up your right to appeal',
    done: ['You gave up your right to appeal'],
    refused: 'Your right to appeal stays',
  })
  const confirm = async () => {
    await waive.give({ params: paramsOf(dispute) })
    onClose()
  }
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Give up your right to appeal?"
      description={wordsOf(dispute)}
      confirm="Waive My Right"
      busyWords="Saving..."
      busy={waive.busy}
      onConfirm={() => void confirm()}
    />
  )
}

function wordsOf({ rulings, viewerRole, ...people }: DisputeCase): string {
  const other = otherSide(viewerRole)
  if (!other) return ''
  const hasOther = rulings.at(-1)?.waivedBy.includes(other)
  const name = people[other].firstName
  const final = hasOther
    ? `${name} has given it up already: the ruling is carried out at once.`
    : `Both of you must do it: when ${name} does too, the ruling is carried out at once. Otherwise it waits for its time.`
  return `${final} This cannot be taken back.`
}
