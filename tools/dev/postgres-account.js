import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'

/** The uid and gid of the account `nobody` on Unix. */
const NOBODY = 65_534
const SYSTEM_ACCOUNTS = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. Answers how to run it on this machine as
 * `{ prefix, ids, owner }`: words to put before the command, uid and gid to spawn it with, and the owner its files must
 * have. Nothing is installed and no account is made. Ways for root, best first:
 * - a user namespace that maps root to nobody: works below folders that only root may enter;
 * - nobody with the capability to enter such folders, where a container forbids namespaces;
 * - the account postgres or nobody, where they can reach the checkout.
 */
export function unprivilegedAccount(postgres) {
  const { uid, gid } = ownIds()
  if (uid !== 0) return { prefix: [], ids: {}, owner: { uid, gid } }
  const found = waysForRoot().find(way => succeeds([...way.prefix, postgres, '--version'], way.ids))
  if (found) return found
  throw new Failure(
    'PostgreSQL does not run as root, and its files cannot be reached by another account here: move the checkout to a folder that every account may enter, or start as a normal user.',
  )
}

/** Makes a folder that PostgreSQL can use as `account`, and changes its owner when it belongs to another account. */
export function ownFolder(folder, { owner }) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (fs.statSync(folder).uid !== owner.uid) chownAll(folder, owner)
}

/** Makes PostgreSQL's account the owner of a file. */
export const ownFile = (file, { owner }) => fs.chownSync(file, owner.uid, owner.gid)

/** Who runs this process. Every system that Holdfast starts on has these numbers. */
const ownIds = () => ({ uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 })

function waysForRoot() {
  const mapped = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']
  const capable = [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--',
  ]
  return [
    { prefix: mapped, ids: {}, owner: { uid: 0, gid: 0 } },
    { prefix: capable, ids: {}, owner: { uid: NOBODY, gid: NOBODY } },
    ...SYSTEM_ACCOUNTS.flatMap(accountIds).map(ids => ({ prefix: [], ids, owner: ids })),
  ]
}

function accountIds(name) {
  const number = flag => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN)
  const ids = { uid: number('-u'), gid: number('-g') }
  return Number.isInteger(ids.uid) && ids.uid !== 0 ? [ids] : []
}

/** @param {string[]} line */
function succeeds([command, ...args], ids) {
  return spawnSync(command, args, { ...ids, stdio: 'ignore' }).status === 0
}

function chownAll(folder, { uid, gid }) {
  fs.chownSync(folder, uid, gid)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) chownAll(file, { uid, gid })
    else fs.lchownSync(file, uid, gid)
  }
}
