// Runs before `npm start` and `npm test`, on whatever node is installed: until it is done there is no other.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The lockfile that the installed packages come from; it goes away together with them. */
const STAMP = new URL('../node_modules/.gatehouse-lockfile', import.meta.url)

/** Development packages are wanted even where NODE_ENV is `production`; standard output belongs to the script. */
const INSTALL = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']

const digest = createHash('sha256')
  .update(readFileSync(new URL('../package-lock.json', import.meta.url)))
  .digest('hex')

if (stamp() !== digest) {
  const { status } = spawnSync('npm', INSTALL, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (status !== 0) exit(status ?? 1)
  writeFileSync(STAMP, digest)
}

function stamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined
  }
}
