import { type ChildProcess, spawn } from 'node:child_process'
import { createECDH } from 'node:crypto'
import { listeningPort } from '@holdfast/testing/listening-port'
import { packedService } from '@holdfast/testing/packed-service'

const ecdh = createECDH('prime256v1')
ecdh.generateKeys()

/** What two replicas of identity-svc have in common, besides their database. */
const SETTINGS = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'info',
  PORT: '0',
  OPS_PORT: '0',
  PUBLIC_URL: 'http://localhost:3000',
  SUPPORT_EMAIL: 'support@holdfast.example',
  SALES_EMAIL: 'sales@holdfast.example',
  MAIL_FROM: 'Holdfast <hello@holdfast.example>',
  // Nobody reads these mails.
  SMTP_URL: 'smtp://127.0.0.1:1',
  STORAGE_URL: 'file:///nowhere',
  VAPID_PRIVATE_KEY: Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString('base64url')}`,
}

/** identity-svc as a process of its own. */
export class IdentityProcess {
  private constructor(
    readonly origin: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(variables: NodeJS.ProcessEnv): Promise<IdentityProcess> {
    const child = spawn(process.execPath, [packedService('identity-svc')], {
      env: { PATH: process.env.PATH, ...SETTINGS, ...variables },
      // The service ends when this channel closes, so it cannot outlive the test.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    return new IdentityProcess(`http://127.0.0.1:${await listeningPort('identity-svc', child)}`, child)
  }

  async kill(): Promise<void> {
    const end = new Promise(resolve => this.child.once('exit', resolve))
    this.child.kill('SIGKILL')
    await end
  }
}
