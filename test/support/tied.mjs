// Imported by Node programs that tests start themselves, with a pipe as standard input: they end when the tests are killed.
import process from 'node:process'

process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1))
process.stdin.resume().unref()
