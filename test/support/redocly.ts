import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

const ENVIRONMENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

interface Flow {
  readonly server: string
  readonly inputs: Readonly<Record<string, string>>
}

/** Runs the flow of a file against a service; what was checked of it. @throws Error when a step did not hold */
export async function respect(file: string, { server, inputs }: Flow): Promise<string> {
  const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`])
  const args = [
    'quality/node_modules/@redocly/cli/bin/cli.js',
    'respect',
    file,
    '--server',
    `gatehouse=${server}`,
    ...given,
  ]
  const { stdout, stderr } = await promisify(execFile)(execPath, args, { env: { ...process.env, ...ENVIRONMENT } })
  return `${stdout}${stderr}`
}
