import { useState } from 'react'
import { ButtonLink } from '../../components/button.js'
import { paths } from '../../lib/paths.js'
import { ExportForm } from './export-form.js'
import { PasswordForm } from './password-form.js'

/** What a user can do with their account: change its password, export its data, and close it. It is loaded after the page, because the code of forms is large. */
export default function OwnAccount() {
  // A form whose password was changed begins anew.
  const [changes, setChanges] = useState(0)
  const [exports, setExports] = useState(0)
  return (
    <>
      <section>
        <h2 className="display mb-4 text-xl">Password</h2>
        <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
      </section>
      <section>
        <h2 className="display mb-4 text-xl">Your data</h2>
        <ExportForm key={exports} onDone={() => setExports(exports + 1)} />
      </section>
      <section>
        <h2 className="display mb-2 text-xl">Close your account</h2>
        <p className="mb-4 text-ink-soft">
          We erase your personal data. Our books stay, as the law requires, without your name.
        </p>
        <ButtonLink to={paths.closeAccount} kind="quiet">
          Close Account
        </ButtonLink>
      </section>
    </>
  )
}
