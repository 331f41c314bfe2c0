import { argv, env, stdout } from 'node:process'
import { styleText } from 'node:util'
import type { Finding } from '../../infra/finding.ts'
import { addressOption, FLAG, readOptions, runCommand, TEXT, UsageError } from '../command.ts'

const USAGE = `npx gatehouse check [--stage <stage> | --deployed --url <address> | --machine] [options]

A line for each check: ok; warn, something goes without it; fail; skipped. Exit 1 when one fails.

                          the configuration, the handlers and the files of all stages
  --stage <stage>         npx gatehouse preflight: what would prevent a deployment, or be missing after it: the file of the stage,
                          what was packaged, credentials, quotas, secrets. It asks AWS, and changes nothing there
  --deployed --url <address>
                          npx gatehouse verify: a deployed stage, from outside. The webhook events that it names stay, with their
                          orders; their ids begin with verify-
  --machine               npx gatehouse doctor: what is in the way of npm start and npm test

  --param <name>=<value>  with --stage: as for npx gatehouse deploy, for one run
  --json                  one object: ok, and findings with level, check, message and remedy

--deployed has credentials from the environment, for the local run those of npm start, and skips checks without them:
  GATEHOUSE_TOKEN                      the token of an admin
  GATEHOUSE_USER, GATEHOUSE_PASSWORD   a user with a password; an admin if there is no token
  GATEHOUSE_PLAIN_TOKEN                the token of a user who is not an admin
  WEBHOOK_SECRETS                      the secret of order-status
`

/** The names of three views, and the option that each stands for. */
const VIEWS: Readonly<Record<string, string>> = { preflight: '', verify: '--deployed', doctor: '--machine' }

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'gray' } as const

const OPTIONS = {
  stage: TEXT,
  deployed: FLAG,
  machine: FLAG,
  url: TEXT,
  param: { type: 'string', multiple: true },
  json: FLAG,
} as const

/** Runs the command, or the view of it that the first argument names. */
export function runChecks(): Promise<never> {
  const view = argv[2] && Object.hasOwn(VIEWS, argv[2]) ? argv.splice(2, 1).join() : undefined
  return runCommand({
    name: view ?? 'check',
    usage: USAGE,
    run: (args) => check(view === undefined ? args : [VIEWS[view] ?? '', ...args].filter(Boolean), view),
  })
}

/** @returns the exit code: 1 when a check fails */
async function check(args: readonly string[], view: string | undefined): Promise<number> {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { stage, deployed, machine, url, param = [], json } = values
  if (view === 'preflight' || stage !== undefined) {
    if (!stage || stage === 'local') throw new UsageError('Name a stage that is deployed: --stage prod')
    if (!param.every((text) => text.includes('='))) throw new UsageError('--param must be <name>=<value>')
    const { checkStage } = await import('../../infra/check/stage.ts')
    return report(await checkStage({ stage, overrides: param }), json)
  }
  if (deployed) return checkDeployed(stageAddress(url), json)
  // Only what a view needs is loaded: the doctor also has to run in a broken installation.
  if (machine) return report(await (await import('./check/machine.ts')).checkMachine(), json)
  const { checkProject } = await import('../../infra/check/stage.ts')
  return report(await checkProject(), json)
}

async function checkDeployed(url: URL, isJson: boolean): Promise<number> {
  const { connect, runCheck } = await import('./check/stage-connection.ts')
  const { ACCESS_CHECKS } = await import('./check/stage-access.ts')
  const { WEBHOOK_CHECKS } = await import('./check/stage-webhooks.ts')
  const stage = connect(url, env)
  const findings: Finding[] = []
  for (const [name, one] of Object.entries({ ...ACCESS_CHECKS, ...WEBHOOK_CHECKS }))
    findings.push(await runCheck(name, one, stage))
  const events = [...stage.events]
  if (!isJson && events.length > 0) findings.push({ level: 'ok', check: 'left behind', message: events.join(', ') })
  return report(findings, isJson, { url: url.origin, date: new Date().toISOString(), events })
}

function stageAddress(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('Name the --url of the stage')
  const url = addressOption(text)
  if (url.username || url.password) throw new UsageError('--url must hold no credentials')
  if (url.pathname !== '/' || url.search || url.hash) throw new UsageError('--url must end with the host or the port')
  return url
}

/** Prints findings: a line each, or one object. @returns the exit code: 1 if one fails */
function report(findings: readonly Finding[], isJson: boolean, more: object = {}): number {
  const ok = findings.every(({ level }) => level !== 'fail')
  stdout.write(isJson ? `${JSON.stringify({ ok, ...more, findings })}\n` : findings.map(lineOf).join(''))
  return ok ? 0 : 1
}

function lineOf({ level, check: name, message, remedy }: Finding): string {
  const advice = remedy === undefined ? '' : `: ${remedy}`
  return `${styleText(COLORS[level], level.padEnd(4))}  ${name.padEnd(12)}  ${message}${advice}\n`
}

if (import.meta.main) await runChecks()
