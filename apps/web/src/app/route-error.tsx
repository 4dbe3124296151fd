import { useEffect } from 'react'
import { useLocation, useRouteError } from 'react-router-dom'
import { Button } from '../components/button.js'
import { TextLink } from '../components/link.js'
import { PageMessage } from '../components/page-message.js'
import { paths } from '../lib/paths.js'
import { reloadOnce } from '../lib/reload-once.js'

/** Stands in place of a page that broke, or whose code could not be loaded (most often because of a new release while the tab was open). */
export function RouteError() {
  const error = useRouteError()
  const { key } = useLocation()
  const isNotLoaded = isLoadFailure(error)
  useEffect(() => console.error(error), [error])
  // React Router keeps that a route was not loaded, and answers the next attempt with the same error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another navigation is the reason to run
  useEffect(() => {
    if (!isNotLoaded) return
    const left = new AbortController()
    void reloadOnce(left.signal)
    return () => left.abort()
  }, [key, isNotLoaded])
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

// The messages of Chromium, Firefox and Safari for code that did not come. Nothing else tells it from other errors.
const isLoadFailure = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script failed|failed to fetch|load failed/i.test(error.message)
