type Schema = Readonly<Record<string, unknown>>

const INDENT = '  '
/** Objects that are nested deeper are shown as `{ … }`. */
const MAX_DEPTH = 6

/** Writes a JSON schema like a TypeScript type: `{ id: integer, title: string (1 to 120 characters) }`. */
export function schemaText(schema: Schema, depth = 0): string {
  const { type, anyOf, allOf, items, properties, $ref } = schema as SchemaParts
  if (typeof $ref === 'string') return $ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  const options = anyOf ?? allOf
  if (options) return options.map(option => schemaText(option, depth)).join(allOf ? ' & ' : ' | ')
  if (type === 'array') return `${schemaText(items ?? {}, depth)}[]${limitsText(schema)}`
  if (properties) return objectText(schema as SchemaParts, depth)
  return `${typeText(schema)}${limitsText(schema)}`
}

interface SchemaParts extends Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly $ref?: string
}

function objectText({ properties = {}, required = [] }: SchemaParts, depth: number): string {
  if (depth >= MAX_DEPTH) return '{ … }'
  const indent = INDENT.repeat(depth + 1)
  const lines = Object.entries(properties).map(([name, each]) => {
    const fallback = each.default === undefined ? '' : ` = ${JSON.stringify(each.default)}`
    return `${indent}${name}${required.includes(name) ? '' : '?'}: ${schemaText(each, depth + 1)}${fallback}`
  })
  return `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`
}

function typeText({ type, format, pattern }: Schema): string {
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any'
  if (typeof format === 'string') return `${name} (${format})`
  return typeof pattern === 'string' ? `${name} /${pattern}/` : name
}

function limitsText(schema: Schema): string {
  const [low, high, unit] =
    schema.type === 'array'
      ? [schema.minItems, schema.maxItems, ' items']
      : schema.type === 'string'
        ? [schema.minLength, schema.maxLength, ' characters']
        : [schema.minimum, schema.maximum, '']
  const from = isShown(low) ? low : null
  const to = isShown(high) ? high : null
  if (from !== null && to !== null) return ` (${from} to ${to}${unit})`
  if (to !== null) return ` (at most ${to}${unit})`
  return from === null ? '' : ` (at least ${from}${unit})`
}

/** A limit that only reflects JavaScript's largest exact integer is left out. */
const isShown = (limit: unknown): limit is number =>
  typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER
