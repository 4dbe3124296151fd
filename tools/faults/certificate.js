import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { freePort } from '@holdfast/engines/ports'
import { commandOf } from './prometheus.js'

/**
 * Serves an address with a certificate of its own, as an ingress does. Answers `{ url, expireIn, stop }`; `expireIn(days)` replaces the
 * certificate by one that expires then.
 */
export async function serveCertificate(folder) {
  const server = https.createServer(certificateFor(folder, 60), (_, answer) => answer.end('here'))
  const port = await freePort()
  await new Promise(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${port}`,
    expireIn: days => server.setSecureContext(certificateFor(folder, days)),
    stop: () => server.close(),
  }
}

function certificateFor(folder, days) {
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => path.join(folder, name))
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject]
  const { status, stderr } = spawnSync(
    commandOf('openssl'),
    [...args, '-days', String(days), '-keyout', key, '-out', cert],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  return { key: fs.readFileSync(key), cert: fs.readFileSync(cert) }
}
