import { readOptions, UsageError } from './command.ts'

export const PREFLIGHT_USAGE = `npm run preflight -- --stage <stage> [--param <name>=<value>]… [--json]

Says whether a deployment of a stage would fail, and why: its file, what was packaged, credentials, rights, quotas, secrets,
roles, certificates, domain. It asks AWS, and changes nothing there. A line for each check: ok; warn, a deployment may go
without it; fail. Exit 1 when one fails.

  --stage <stage>         as for npx serverless deploy
  --param <name>=<value>  the same, for one run
  --json                  one object: ok, and findings with level, check, message and remedy
`

const OPTIONS = {
  stage: { type: 'string' },
  param: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

export interface PreflightOptions {
  readonly stage: string
  /** Each `name=value`. */
  readonly overrides: readonly string[]
  readonly json: boolean
}

/** @throws UsageError */
export function readPreflightCommand(args: readonly string[]): PreflightOptions {
  const { stage, param = [], json } = readOptions({ args: [...args], options: OPTIONS }).values
  if (!stage || stage === 'local') throw new UsageError('Name a stage that is deployed: --stage prod')
  if (!param.every((text) => text.includes('='))) throw new UsageError('--param must be <name>=<value>')
  return { stage, overrides: param, json }
}
