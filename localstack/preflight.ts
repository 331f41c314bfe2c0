import { preflight } from '../infra/preflight/preflight.ts'
import { runCommand } from './command.ts'
import { report } from './doctor/report.ts'
import { PREFLIGHT_USAGE, readPreflightCommand } from './preflight-options.ts'

await runCommand({
  name: 'preflight',
  usage: PREFLIGHT_USAGE,
  async run(args) {
    const { json, ...wanted } = readPreflightCommand(args)
    return report(await preflight(wanted), json)
  },
})
