// Runs before `npm start` and `npm test`, on whatever node is installed: until it is done there is no other. Installs this
// package, or that in the folder which is named.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL(`../${argv[2] ?? '.'}/`, import.meta.url)

/** The lockfile that the installed packages come from; it goes away together with them. */
const STAMP = new URL('node_modules/.gatehouse-lockfile', FOLDER)

/**
 * Development packages are wanted even where NODE_ENV is `production`, scripts that `allowScripts` says nothing of are not;
 * standard output belongs to the script.
 */
const INSTALL = ['ci', '--include=dev', '--strict-allow-scripts', '--no-audit', '--no-fund', '--loglevel=error']

const digest = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', FOLDER)))
  .digest('hex')

if (stamp() !== digest) {
  const { status } = spawnSync('npm', INSTALL, { cwd: fileURLToPath(FOLDER), stdio: ['ignore', 2, 2] })
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
