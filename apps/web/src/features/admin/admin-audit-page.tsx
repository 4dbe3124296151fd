import { adminRoutes } from 'virtual:admin-routes'
import type { KeptAct } from '@holdfast/contracts/admin'
import { pages } from '@holdfast/contracts/pages'
import { ADMIN_ACTS, type AdminAct } from '@holdfast/kernel/admin'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { Dialog } from '../../components/dialog.js'
import { Field } from '../../components/field.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Select } from '../../components/select.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'
import { usePages } from '../../lib/use-pages.js'
import { FactsList } from './facts-list.js'
import { KnownNames, UserName, usersIn } from './names.js'
import { PagedList } from './paged-list.js'
import { ConsolePage } from './shared/console-page.js'
import { SubjectLink } from './subject-link.js'
import { ACT_WORDS } from './words.js'

/** Who did it: an admin, or the system user who ran a command. */
function ActorName({ act: { actorId, commandLineUser } }: { act: KeptAct }) {
  return actorId === null ? <>Command line ({commandLineUser})</> : <UserName id={actorId} />
}

/** What admins did. */
export default function AuditPage() {
  const [params, setParams] = useSearchParams()
  const subject = params.get('subject')
  const act = ADMIN_ACTS.find(each => each === params.get('act'))
  const query = { ...(subject && { subject }), ...(act && { act }) }
  const list = usePages(adminRoutes.listAudit, { query })
  const [opened, open] = useState<KeptAct | null>(null)
  const choose = (chosen: string) => {
    const next = new URLSearchParams(params)
    if (chosen === '') next.delete('act')
    else next.set('act', chosen)
    setParams(next, { preventScrollReset: true })
  }
  return (
    <ConsolePage
      page={pages.adminAudit}
      lead="What was done by admins and on the command line, with before, after and reason. Nothing is ever changed here."
    >
      <KnownNames
        ids={[
          ...(subject ? usersIn(subject) : []),
          ...(list.items ?? []).flatMap(each => [...(each.actorId ? [each.actorId] : []), ...usersIn(each.subject)]),
        ]}
      >
        <div className="mb-5 flex flex-wrap items-end gap-4">
          <Field label="Which acts" className="min-w-56">
            <Select value={act ?? ''} onChange={event => choose(event.target.value)}>
              <option value="">All</option>
              {ADMIN_ACTS.map((each: AdminAct) => (
                <option key={each} value={each}>
                  {ACT_WORDS[each]}
                </option>
              ))}
            </Select>
          </Field>
          {subject && (
            <p className="pb-2 text-sm">
              Only on <SubjectLink subject={subject} />.{' '}
              <Link to={paths.adminAudit} className="link">
                Show all
              </Link>
            </p>
          )}
        </div>
        <PagedList
          caption="Acts of admins"
          list={list}
          loading="Loading acts"
          errorTitle="The acts could not be loaded"
          moreErrorTitle="More acts could not be loaded"
          keyOf={({ id }) => id}
          open={open}
          empty="Nothing was done yet."
          columns={[
            { label: 'Act', cell: item => <span className="sm:whitespace-nowrap">{ACT_WORDS[item.act]}</span> },
            { label: 'By', cell: act => <ActorName act={act} /> },
            { label: 'On', cell: item => <SubjectLink subject={item.subject} /> },
            { label: 'Reason', cell: ({ reason }) => <span className="line-clamp-2">{reason}</span> },
            { label: 'When', cell: ({ at }) => <RelativeTime at={at} className="whitespace-nowrap" /> },
          ]}
        />
        <Dialog open={opened !== null} onOpenChange={() => open(null)} title={opened ? ACT_WORDS[opened.act] : ''} wide>
          {opened && <Act act={opened} />}
        </Dialog>
      </KnownNames>
    </ConsolePage>
  )
}

function Act({ act }: { act: KeptAct }) {
  const { at, subject, before, after, reason } = act
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        <ActorName act={act} />, {formatDateTime(new Date(at))}, on <SubjectLink subject={subject} />
      </p>
      <p className="typed">{reason}</p>
      <div className="grid gap-4 rounded-md bg-sunken p-3 sm:grid-cols-2">
        <FactsList title="Before" facts={before} />
        <FactsList title="After" facts={after} />
      </div>
    </div>
  )
}
