// Runs on any installed Node version, because it has to report what is wrong with that version.
import process, { argv, exit, stdout, version } from 'node:process'

/** On an old Node, or in a clone without packages, no other check can run, so this is all that it reports. */
if (!('typescript' in process.features && process.features.typescript))
  end(
    'Node.js',
    `${version} is too old`,
    'install Node.js 20.19 or newer, https://nodejs.org/en/download, and use npm start',
  )
argv.splice(2, 0, 'doctor')
try {
  const { runChecks } = await import('./commands/check.ts')
  await runChecks()
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
