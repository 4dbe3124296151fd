import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { Button } from '../components/button.js'
import { TextLink } from '../components/link.js'
import { PageMessage } from '../components/page-message.js'
import { paths } from '../lib/paths.js'
import { reloadOnce } from '../lib/reload-once.js'

/** When a page broke, or its code could not be loaded (most often: a new release while the tab was open). */
export function RouteError() {
  const error = useRouteError()
  const isNotLoaded = isLoadFailure(error)
  useEffect(() => {
    console.error(error)
    if (isNotLoaded) void reloadOnce()
  }, [error, isNotLoaded])
  const { title, text } = isNotLoaded ? NOT_LOADED : BROKEN
  return (
    <PageMessage
      title={title}
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Load the Page Again</Button>
          <TextLink to={paths.support}>Contact Support</TextLink>
        </>
      }
    >
      {text}
    </PageMessage>
  )
}

const BROKEN = {
  title: 'This page broke',
  text: 'The fault is in this page. What you did before it broke may have been carried out: load the page again and look before you repeat it.',
}

const NOT_LOADED = {
  title: 'This page could not be loaded',
  text: 'The server could not be reached, or it has a newer version of this page. Check your connection and load the page again.',
}

// Chromium, Firefox and Safari each have words of their own for code that did not come; there is no other sign of it.
const isLoadFailure = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script failed|failed to fetch|load failed/i.test(error.message)
