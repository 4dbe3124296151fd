import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'

/** The uid and gid every Unix gives to nobody in particular. */
const NOBODY = 65_534
const SYSTEM_ACCOUNTS = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. Answers how to run it on this machine as
 * `{ prefix, ids, owner }`: words to put before the command, uid and gid to spawn it with, and whom its files must
 * belong to. Nothing is installed and no account is made. Ways for root, best first:
 * - a user namespace in which root is nobody: works below folders only root may enter;
 * - nobody with the one capability to pass such folders, where a container forbids namespaces;
 * - the account postgres or nobody, where they can reach the checkout.
 */
export function unprivilegedAccount(postgres) {
  const uid = process.getuid()
  if (uid !== 0) return { prefix: [], ids: {}, owner: { uid, gid: process.getgid() } }
  const found = waysForRoot().find(way => succeeds([...way.prefix, postgres, '--version'], way.ids))
  if (found) return found
  throw new Failure(
    'PostgreSQL does not run as root, and its files cannot be reached as anybody else here: move the checkout to a folder everybody may enter, or start as a normal user.',
  )
}

/** Makes a folder that PostgreSQL can use as `account`, and hands it over when it belongs to someone else. */
export function ownFolder(folder, { owner }) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (fs.statSync(folder).uid !== owner.uid) chownAll(folder, owner)
}

/** Hands one file over to PostgreSQL's account. */
export const ownFile = (file, { owner }) => fs.chownSync(file, owner.uid, owner.gid)

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
