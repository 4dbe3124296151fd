import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import { listen } from '../dev/listen.js'

/** Stands for the ingress: an HTTPS server whose certificate can be exchanged. */
export class TlsServer {
  #folder
  #server

  constructor(folder) {
    this.#folder = folder
  }

  /** Serves with a certificate of so many days. Answers its address. */
  async start(days) {
    this.#server = createServer(this.#certificate(days), (_, answer) => answer.end('ok'))
    return `https://127.0.0.1:${await listen(this.#server)}`
  }

  /** New connections get a certificate of so many days. */
  serve(days) {
    this.#server.setSecureContext(this.#certificate(days))
    this.#server.closeIdleConnections()
  }

  stop() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #certificate(days) {
    const [key, cert] = ['key.pem', 'certificate.pem'].map(name => path.join(this.#folder, name))
    const args = [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=holdfast.example', '-days', String(days), '-keyout', key, '-out', cert],
    ]
    // It writes dots while it looks for a key.
    execFileSync('openssl', args, { stdio: 'ignore' })
    return { key: fs.readFileSync(key), cert: fs.readFileSync(cert) }
  }
}
