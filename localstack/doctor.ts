import process, { env } from 'node:process'
import { hasBus, stageDestinations } from '../infra/deliver/stage.ts'
import type { Finding } from '../infra/finding.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { askAt } from './api-client.ts'
import { readOptions, runCommand } from './command.ts'
import { checkCredentials } from './doctor/credentials.ts'
import { checkDataFolder } from './doctor/data-folder.ts'
import { findAwsCredentials, lockfiles, npmVersion, soundSettings, toolsOf } from './doctor/machine.ts'
import { checkPorts } from './doctor/ports.ts'
import { answersOn, findService } from './doctor/probe.ts'
import { report } from './doctor/report.ts'
import { checkNode, checkNpm, checkPackages } from './doctor/runtime.ts'
import { checkClock, checkService } from './doctor/service.ts'
import { checkSettings } from './doctor/settings.ts'
import { checkTool } from './doctor/tools.ts'
import { httpAddress, wantedPorts } from './environment.ts'
import { profileAt } from './operator/service-profile.ts'
import { isFree, portsAt } from './ports.ts'

const USAGE = `npm run doctor -- [--json]

Looks for what is in the way of npm start and npm test, and says what to do about it. A line for each check: ok; warn,
something goes without it; fail. Exit 1 when one fails.

  --json  one object: ok, and findings with level, check, message and remedy
`

await runCommand({
  name: 'doctor',
  usage: USAGE,
  async run(args) {
    const { values } = readOptions({ args: [...args], options: { json: { type: 'boolean', default: false } } })
    return report(await examine(), values.json)
  },
})

/** None for a wrong configuration, which the start reports. */
function soundDestinations(): Promise<readonly Destination[]> {
  return stageDestinations('local').catch(() => [])
}

async function examine(): Promise<readonly Finding[]> {
  const { PORT_OFFSET: offset, DATA_DIR: folder, EMULATOR: engine } = soundSettings(env)
  const ports = portsAt(offset)
  const service = await findService(ports.http)
  const profile = service ? await profileAt(askAt(new URL(httpAddress(ports.http)))) : env['PROFILE']
  const wanted = wantedPorts({ ...env, PROFILE: profile }, hasBus(await soundDestinations()))
  return [
    checkNode(process.version),
    checkNpm(npmVersion(env)),
    checkPackages(lockfiles()),
    ...(await checkSettings(env)),
    checkDataFolder(folder),
    checkClock(new Date(), service),
    ...(service
      ? await checkService({ ports, wanted, answers: answersOn })
      : await checkPorts({ offset, portsAt, wanted, isFree })),
    ...toolsOf(env, engine).map(checkTool),
    await checkCredentials(env['STAGE'] || 'local', findAwsCredentials),
  ]
}
