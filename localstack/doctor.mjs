// Runs on whatever node is installed: what is wrong with that has to be told by something that it can run.
import process, { argv, exit, stdout, version } from 'node:process'
import { nodeRemedy } from './doctor/node-version.mjs'

/** What an old node, or a clone without packages, keeps from being looked at is all that can be told then. */
if (!('typescript' in process.features && process.features.typescript)) {
  end('Node.js', `${version} cannot run this project`, nodeRemedy(version) ?? '')
}

try {
  await import('./doctor.ts')
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
  end('packages', 'not installed', 'npm start installs them')
}

/**
 * @param {string} check
 * @param {string} message
 * @param {string} remedy
 */
function end(check, message, remedy) {
  const finding = { level: 'fail', check, message, remedy }
  const line = `fail  ${check.padEnd(12)}  ${message}: ${remedy}`
  stdout.write(`${argv.includes('--json') ? JSON.stringify({ ok: false, findings: [finding] }) : line}\n`)
  exit(1)
}
