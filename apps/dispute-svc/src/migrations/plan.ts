import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Disputes1795305600000 } from './1795305600000-disputes.js'
import { RefusedFilings1795330000000 } from './1795330000000-refused-filings.js'
import { IdempotencyKeys1795331000000 } from './1795331000000-idempotency-keys.js'
import { ProviderDisputes1795392000000 } from './1795392000000-provider-disputes.js'
import { DealEnds1795410000000 } from './1795410000000-deal-ends.js'
import { Cases1795700000000 } from './1795700000000-cases.js'
import { PixelBudget1796000000000 } from './1796000000000-pixel-budget.js'
import { DecisionsNotCarriedOut1796100000000 } from './1796100000000-decisions-not-carried-out.js'
import { WhatWasHeld1796200000000 } from './1796200000000-what-was-held.js'
import { Outages1796300000000 } from './1796300000000-outages.js'
import { OlderDisputes1796310000000 } from './1796310000000-older-disputes.js'
import { OlderInvestigations1796500000000 } from './1796500000000-older-investigations.js'
import { FirstHeartbeat1796510000000 } from './1796510000000-first-heartbeat.js'
import { WhoTookACase1796520000000 } from './1796520000000-who-took-a-case.js'
import { BankDecides1796610000000 } from './1796610000000-bank-decides.js'
import { SealedEvidence1799785000500 } from './1799785000500-sealed-evidence.js'
import { RowsByAge1799785002000 } from './1799785002000-rows-by-age.js'
import { BoundedCleanups1799785002100 } from './1799785002100-bounded-cleanups.js'
import { RulingRequests1799786030000 } from './1799786030000-ruling-requests.js'

/** The migrations, role and grants of dispute-svc. */
export const plan = {
  service: 'dispute-svc' as const,
  role: 'dispute_svc',
  schema: 'dispute',
  migrations: [
    Disputes1795305600000,
    RefusedFilings1795330000000,
    IdempotencyKeys1795331000000,
    ProviderDisputes1795392000000,
    DealEnds1795410000000,
    Cases1795700000000,
    PixelBudget1796000000000,
    DecisionsNotCarriedOut1796100000000,
    WhatWasHeld1796200000000,
    Outages1796300000000,
    OlderDisputes1796310000000,
    OlderInvestigations1796500000000,
    FirstHeartbeat1796510000000,
    WhoTookACase1796520000000,
    BankDecides1796610000000,
    SealedEvidence1799785000500,
    RowsByAge1799785002000,
    BoundedCleanups1799785002100,
    RulingRequests1799786030000,
  ],
  appendOnly: [IDEMPOTENCY_TABLE, 'evidence', 'evidence_pictures', 'ruling', 'waiver', 'appeal', 'history'],
  grants: [
    idempotencyGrant('dispute', 'dispute_svc'),
    // A rotation of master keys wraps data keys again.
    'GRANT UPDATE (key_id, wrapped_key) ON dispute.evidence_pictures TO dispute_svc',
  ],
} as const satisfies MigrationPlan
