import { useState } from 'react'
import { useSignedInUser } from '../../lib/current-user.js'
import { PasswordForm } from './password-form.js'
import { PersonalInformation } from './personal-information.js'

/** What a user changes about themselves. It is loaded after the page, because the code of forms is large. */
export default function OwnData() {
  const user = useSignedInUser()
  // A form whose password was changed begins anew.
  const [changes, setChanges] = useState(0)
  return (
    <>
      <section>
        <h2 className="display mb-4 text-xl">Personal information</h2>
        <PersonalInformation user={user} />
      </section>
      <section>
        <h2 className="display mb-4 text-xl">Password</h2>
        <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
      </section>
    </>
  )
}
