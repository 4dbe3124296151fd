import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { refresh } from '../../../lib/use-call.js'
import { useCommand } from '../../../lib/use-command.js'

/** A button that blocks a person, and the question before it. */
export default function BlockPerson({ person: { id, firstName } }: { person: Pick<PublicUser, 'id' | 'firstName'> }) {
  const [isAsked, setAsked] = useState(false)
  const block = useCommand(routes.blockUser, {
    whether: `${firstName} was blocked`,
    done: () => [`${firstName} is blocked`, 'You can unblock them on your profile.'],
    refused: error => [`${firstName} was not blocked`, error.serverMessage],
    refresh: () => refresh(routes.listBlockedUsers),
  })
  const confirm = async () => {
    await block.give({ body: { userId: id } })
    setAsked(false)
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        Block {firstName}
      </Button>
      <AlertDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Block ${firstName}?`}
        description={`${firstName} can open no new transaction with you, does not find you in the search, and can mail you no invitation. They are not notified. Transactions that are open go on as they are; once one has ended, ${firstName} cannot write to you about it.`}
        confirm={`Block ${firstName}`}
        busyWords="Blocking..."
        kind="trouble"
        busy={block.busy}
        onConfirm={() => void confirm()}
      />
    </>
  )
}
