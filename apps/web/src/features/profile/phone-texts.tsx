import { routes } from 'virtual:routes'
import { SMS_CODE_DIGITS } from '@holdfast/kernel/sms'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { refusalWords } from '../auth/shared/refusal-words.js'
import { ConfirmOnDemand } from '../security/shared/confirm-on-demand.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../security/shared/use-confirmed.js'

/** Whether texts reach the user, and the code that proves it. */
export default function PhoneTexts() {
  const query = useCall(routes.getPhone, {})
  return (
    <QueryState
      query={query}
      errorTitle="Your phone number could not be loaded"
      loading={
        <Loading label="Loading your phone number">
          <Skeleton className="mt-2 h-11 w-48" />
        </Loading>
      }
    >
      {({ isOffered, number, isConfirmed, isStopped }) => (
        <div className="mt-3 text-sm">
          {!isOffered ? (
            <p className="text-ink-soft">Texts are not offered here. Your choice is kept.</p>
          ) : number === null ? (
            <p className="text-ink-soft">Save your phone number above first, with its country code: +1 555 010 0100.</p>
          ) : isConfirmed && !isStopped ? (
            <p className="text-ink-soft">Texts go to {number}. Answer STOP to end them.</p>
          ) : (
            <Confirm number={number} isStopped={isStopped} />
          )}
        </div>
      )}
    </QueryState>
  )
}

function Confirm({ number, isStopped }: { number: string; isStopped: boolean }) {
  const [isSent, setSent] = useState(false)
  const confirmed = useConfirmed()
  const send = useCommand(routes.sendPhoneCode, {
    whether: 'the code was sent',
    done: () => ['Code on its way', `We have sent it to ${number}.`],
    refused: error =>
      error.code === CONFIRMATION_REQUIRED
        ? null
        : ['No code was sent', error.fields.phoneNumber ?? refusalWords(error)],
    onDone: () => setSent(true),
    refresh: () => refresh(routes.getPhone),
  })
  return (
    <div className="grid gap-3">
      <p className="text-ink-soft">
        {isStopped
          ? `You have answered STOP. Text START to our number, then confirm ${number} again.`
          : `Nothing is texted to ${number} before you have confirmed it.`}
      </p>
      <Button
        kind="quiet"
        size="sm"
        busy={send.busy}
        onClick={() => void confirmed.run(() => send.give({}))}
        className="w-fit"
      >
        {isSent ? 'Text Another Code' : 'Text a Code'}
      </Button>
      {isSent && <CodeForm />}
      <ConfirmOnDemand confirmed={confirmed} />
    </div>
  )
}

function CodeForm() {
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({
      code: new RegExp(`^\\d{${SMS_CODE_DIGITS}}$`).test(code.trim())
        ? undefined
        : `Enter the ${SMS_CODE_DIGITS} digits.`,
    }),
  })
  const confirm = useCommand(routes.confirmPhone, {
    whether: 'the number was confirmed',
    done: ({ number }) => ['Phone number confirmed', `Texts go to ${number}.`],
    refused: error => ['The number is not confirmed', error.serverMessage],
    refresh: () => refresh(routes.getPhone),
  })
  async function submit({ code }: { code: string }) {
    const outcome = await confirm.give({ body: { code: code.trim() } })
    return outcome?.kind === 'done' ? undefined : refusedFields(outcome)
  }
  return (
    <Form form={form} onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Field label="Code" {...form.field('code')} className="w-40">
        <Input inputMode="numeric" autoComplete="one-time-code" maxLength={SMS_CODE_DIGITS} required />
      </Field>
      <Button type="submit" busy={confirm.busy}>
        {confirm.busy ? 'Confirming...' : 'Confirm'}
      </Button>
    </Form>
  )
}
