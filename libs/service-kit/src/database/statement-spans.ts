import { type Span, SpanKind, startSpan } from '../telemetry/telemetry.js'

/** A statement, as `pg` takes it. */
type Statement = string | { readonly text?: string; readonly name?: string }

/** The first word of a statement, and the table that it changes or reads first. A WITH is named after the first change in it. */
const WRITES = /(?<!\b(?:FOR|KEY)\s+)\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?!SET\b)([\w."]+)/i
const READS = /\bFROM\s+(?!unnest\b|generate_series\b)([\w."]+)(?!\s*\()/i

/**
 * Begins the span of a statement by OpenTelemetry's conventions for databases. It has neither the statement's text nor its parameters:
 * operation, table, and the statement's name where our code gives one.
 *
 * @returns null when no span is active
 */
export function startStatementSpan(statement: unknown): Span | null {
  const span = startSpan('statement', { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } })
  if (!span) return null
  const { text = '', name } =
    typeof statement === 'string' ? { text: statement } : (statement as Exclude<Statement, string>)
  const { operation, table } = summaryOf(text)
  span.updateName(table === null ? operation : `${operation} ${table}`)
  span.setAttribute('db.operation.name', operation)
  if (table !== null) span.setAttribute('db.collection.name', table)
  if (name !== undefined) span.setAttribute('holdfast.statement', name)
  return span
}

/** What a statement does, and to which table: null for one that has none, such as COMMIT. */
export function summaryOf(text: string): { readonly operation: string; readonly table: string | null } {
  const operation = (/^\W*(\w+)/.exec(text)?.[1] ?? 'unknown').toUpperCase()
  const write = WRITES.exec(text)
  if (write && (operation === 'WITH' || write[1]!.toUpperCase().startsWith(operation)))
    return { operation: write[1]!.split(' ')[0]!.toUpperCase(), table: nameOf(write[2]!) }
  const read = READS.exec(text)
  return { operation: operation === 'WITH' ? 'SELECT' : operation, table: read ? nameOf(read[1]!) : null }
}

const nameOf = (table: string): string => table.replaceAll('"', '')
