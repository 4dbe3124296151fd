import { summaryOf } from './statement-spans.js'

it.each([
  ['SELECT 1', 'SELECT', null],
  ['select id from thing where name = $1', 'SELECT', 'thing'],
  ['SELECT "t"."id" FROM "listing"."listing" "t" WHERE "t"."id" = $1', 'SELECT', 'listing.listing'],
  ['SELECT a.id FROM unnest($1::bigint[]) AS a(id) JOIN deal USING (id)', 'SELECT', null],
  ['INSERT INTO inbox (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING', 'INSERT', 'inbox'],
  ['UPDATE notifications SET at = now() FROM deals', 'UPDATE', 'notifications'],
  ['SELECT id FROM deal FOR UPDATE', 'SELECT', 'deal'],
  ['DELETE FROM sessions WHERE id = $1', 'DELETE', 'sessions'],
  ['WITH w AS (SELECT 1) UPDATE escrow.transaction SET a = 1', 'UPDATE', 'escrow.transaction'],
  ['WITH w AS (SELECT id FROM deal) SELECT * FROM w', 'SELECT', 'deal'],
  ['WITH d AS (SELECT id FROM deal FOR UPDATE OF deal SKIP LOCKED) SELECT id FROM d', 'SELECT', 'deal'],
  ['WITH d AS (SELECT id FROM deal FOR NO KEY UPDATE) DELETE FROM deal USING d', 'DELETE', 'deal'],
  ['\n  COMMIT', 'COMMIT', null],
  ['', 'UNKNOWN', null],
])('%s is summed up as %s of %s', (text, operation, table) => {
  expect(summaryOf(text)).toEqual({ operation, table })
})
