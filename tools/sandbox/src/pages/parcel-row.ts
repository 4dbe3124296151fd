import { MOVES, type Move } from '../carrier/parcels.js'
import type { ParcelOverview } from '../control/overview.js'
import { type Html, type HtmlPart, html } from './html.js'
import { time } from './layout.js'

const LABELS: Readonly<Record<Move, string>> = {
  accepted: 'Accepted',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  lost: 'Lost',
}

const STATES: Readonly<Record<ParcelOverview['status'], string>> = {
  unknown: 'Unknown',
  pre_transit: 'Not scanned yet',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  failure: 'Lost',
}

const SHOWN_SCANS = 3

export function parcelRow(parcel: ParcelOverview, now: number): Html {
  const over = parcel.status === 'delivered' || parcel.status === 'failure'
  const tone = parcel.status === 'failure' ? 'trouble' : over ? 'held' : 'calm'
  return html`<li id="parcel-${parcel.code}" class="row parcel ${tone}" tabindex="-1">
<p class="code">${parcel.code} <span class="unit">${parcel.carriers.join(', ') || 'not tracked'}</span></p>
<div class="what">
<p class="state">${STATES[parcel.status]}</p>
${scans(parcel, now)}
</div>
<div class="moves">${MOVES.map(move => moveForm(parcel, move))}</div>
</li>`
}

function scans(parcel: ParcelOverview, now: number): HtmlPart {
  if (parcel.scans.length === 0) return html`<p class="detail">Since ${time(Date.parse(parcel.createdAt), now)}</p>`
  return parcel.scans
    .slice(-SHOWN_SCANS)
    .reverse()
    .map(
      scan =>
        html`<p class="detail">${scan.message}${scan.city && `, ${scan.city}`} · ${time(Date.parse(scan.at), now)}</p>`,
    )
}

function moveForm(parcel: ParcelOverview, move: Move): Html {
  const label = `${LABELS[move]}: parcel ${parcel.code}`
  return html`<form method="post" action="/sandbox/parcels/${encodeURIComponent(parcel.code)}/move">
<button class="${move === parcel.next ? 'primary' : ''}" name="status" value="${move}" id="${move}-${parcel.code}" aria-label="${label}" data-done="${label}">${LABELS[move]}</button></form>`
}
