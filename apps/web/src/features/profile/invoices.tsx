import { routes } from 'virtual:routes'
import type { Invoice } from '@holdfast/contracts/subscriptions'
import { isZero } from '@holdfast/kernel/money'
import { Link } from 'react-router-dom'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'

const INVOICE_LOOKS: Record<Invoice['status'], BadgeLooks> = {
  open: { label: 'Open' },
  paid: { label: 'Paid', tone: 'done' },
  void: { label: 'Void' },
}

/** The invoices of Premium, each with the page that can be printed. Nothing is shown before there is one. */
export function Invoices() {
  const { data: invoices } = useCall(routes.listInvoices, {})
  if (!invoices || invoices.length === 0) return null
  return (
    <div className="mt-6">
      <h3 className="border-b border-ink pb-2 font-semibold">Invoices</h3>
      <ul className="divide-y divide-rule border-b border-rule">
        {invoices.map(invoice => (
          <li key={invoice.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
            <Link to={paths.invoice(invoice.id)} className="link">
              {formatDate(new Date(invoice.createdAt))}
            </Link>
            <span className="flex items-center gap-3">
              {!isZero(invoice.returned) && (
                <span className="text-sm text-ink-soft">
                  <Money amount={invoice.returned} currency={invoice.currency} /> went back to you
                </span>
              )}
              <StatusBadge status={invoice.status} looks={INVOICE_LOOKS[invoice.status]} />
              <Money amount={invoice.amount} currency={invoice.currency} className="font-semibold" />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
