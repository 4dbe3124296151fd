// No other variable of the shell is passed on: a NODE_OPTIONS or a DATABASE_URL that happens to be set there must not
// change how the product behaves.
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER_ARG']

/** The variables of the shell that every process of the product may see. */
export function inherited() {
  return Object.fromEntries(INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])))
}
