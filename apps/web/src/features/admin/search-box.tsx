import { Search } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { SearchInput } from '../../components/input.js'

interface SearchBoxProps {
  label: string
  hint: string
  /** The page whose `q` it sets. */
  page: string
}

/** The search of a page of the console. `/` leads here, and the address keeps what was searched. */
export function SearchBox({ label, hint, page }: SearchBoxProps) {
  const [params] = useSearchParams()
  const searched = params.get('q') ?? ''
  return <Box key={searched} {...{ label, hint, page, searched }} />
}

function Box({ label, hint, page, searched }: SearchBoxProps & { searched: string }) {
  const [text, setText] = useState(searched)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (
    <search>
      <form
        className="mb-6 flex items-end gap-2"
        onSubmit={event => {
          event.preventDefault()
          const q = text.trim()
          const to = q === '' ? page : `${page}?q=${encodeURIComponent(q)}`
          navigate(to, { replace: to === pathname + search, preventScrollReset: true })
        }}
      >
        <Field label={label} hint={hint} className="min-w-0 grow basis-0 sm:max-w-md">
          <SearchInput
            icon={<Search className="size-4" />}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        </Field>
        <Button kind="quiet" type="submit">
          Search
        </Button>
      </form>
    </search>
  )
}
