import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { useForm } from '../../../lib/form/use-form.js'

interface ActFormProps {
  /** What changes: the words for now and for afterwards. */
  now: ReactNode
  then: ReactNode
  /** The button's words: 'Send again'. */
  label: string
  busy: boolean
  takesAway?: boolean
  /** Who reads the reason. */
  hint?: string | undefined
  /** Answers what the server says is wrong with the reason. */
  send: (reason: string) => Promise<Readonly<Record<string, string>> | undefined>
  /** Further fields, above the reason. */
  children?: ReactNode
}

/** The form of an act of an admin: what is before, what will be afterwards, and why. */
export function ActForm({
  now,
  then,
  label,
  busy,
  takesAway = false,
  hint = 'It is kept in the audit log.',
  send,
  children,
}: ActFormProps) {
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => ({ reason: reason.trim() === '' ? 'Say why: it is kept with the act.' : undefined }),
    asksToLeave: true,
  })
  return (
    <Form form={form} onSubmit={({ reason }) => send(reason)} className="grid gap-4">
      <dl className="grid gap-x-6 gap-y-3 rounded-md bg-sunken p-3 text-sm sm:grid-cols-2">
        <div>
          <dt className="text-xs font-semibold text-ink-soft">Now</dt>
          <dd className="typed">{now}</dd>
        </div>
        <div>
          <dt className="text-xs font-semibold text-ink-soft">Afterwards</dt>
          <dd className="typed">{then}</dd>
        </div>
      </dl>
      {children}
      <Field label="Reason" hint={hint} {...form.field('reason')}>
        <Textarea rows={2} maxLength={MAX_ADMIN_REASON_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} kind={takesAway ? 'trouble' : 'primary'} className="justify-self-end">
        {busy ? 'One moment...' : label}
      </Button>
    </Form>
  )
}
