import { ChevronDown, Search } from 'lucide-react'
import { useState } from 'react'
import { Badge, humanCase } from '../../components/badge.js'
import { Field } from '../../components/field.js'
import { SearchInput } from '../../components/input.js'
import { classes } from '../../lib/class-names.js'
import { FAQ_TOPICS, type FaqTopic, filterFaq } from './faq.js'

export function FaqTab() {
  const [text, setText] = useState('')
  const [topic, setTopic] = useState<FaqTopic | null>(null)
  const entries = filterFaq(text, topic)
  return (
    <div className="grid gap-8">
      <Field label="Search the questions" hideLabel className="max-w-xl">
        <SearchInput
          icon={<Search className="size-4" />}
          placeholder="Search for help"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </Field>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {FAQ_TOPICS.map(name => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={topic === name}
              onClick={() => setTopic(topic === name ? null : name)}
              className={classes(
                'h-full min-h-16 w-full rounded-lg border px-4 py-3 text-left font-semibold',
                topic === name ? 'border-ink bg-ink text-on-ink' : 'border-edge bg-surface hover:border-ink',
              )}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <section aria-labelledby="questions" className="max-w-3xl">
        <h2 id="questions" className="display text-xl">
          Frequently asked questions
        </h2>
        <p aria-live="polite" className="mt-1 mb-4 text-sm text-ink-soft">
          {entries.length === 0 ? 'No question matches. The Contact tab reaches people.' : `${entries.length} shown`}
        </p>
        <div className="divide-y divide-rule border-y border-rule">
          {entries.map(entry => (
            <details key={entry.question} name="faq" className="group">
              <summary className="flex min-h-14 list-none items-center gap-3 py-3 font-medium">
                <span className="flex-1">{entry.question}</span>
                <Badge>{humanCase(entry.category)}</Badge>
                <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
              </summary>
              <p className="max-w-text pb-5 text-ink-soft">{entry.answer}</p>
            </details>
          ))}
        </div>
      </section>
    </div>
  )
}
