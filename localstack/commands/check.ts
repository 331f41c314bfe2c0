import { argv, env, stdout } from 'node:process'
import { styleText } from 'node:util'
import { type Finding, failing, passed } from '../../infra/finding.ts'
import { STAGE_PACKAGE } from '../../infra/project.ts'
import { ConfigError } from '../../lib/runtime/config.ts'
import { addressOption, FLAG, readOptions, runCommand, TEXT, UsageError } from '../command.ts'

const USAGE = `npx gatehouse check [--stage <stage> | --deployed --url <address> | --machine | --event <file>] [options]

A line for each check: ok, warn (nothing is broken, but something is limited), fail or skipped. Exit 1 when one fails.

                          the configuration, the handlers, users.json and the files of all stages; the directory that LDAP_URL
                          names
  --stage <stage>         npx gatehouse preflight: what would prevent a deployment, or be missing after it: the file of the stage,
                          what was packaged, credentials, quotas, secrets, and the boundary, key and networks that the file names. It
                          asks AWS, and changes nothing there
    --report              the same as a page of Markdown with resources, rights, public surfaces, costs and alarms
  --deployed --url <address>
                          npx gatehouse verify: a deployed stage, from outside. The webhook events that it names stay, with their
                          orders; their ids begin with verify-
  --event <file>          which destinations and handlers get this event, as GET /api/webhooks/events/{source}/{eventId} answers it,
                          and what of the others does not match
  --machine               npx gatehouse doctor: whether npm start and npm test can run

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
  event: TEXT,
  param: { type: 'string', multiple: true },
  report: FLAG,
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
  const { stage, deployed, machine, url, event, json } = values
  if (view === 'preflight' || stage !== undefined || values.report) return checkToDeploy(values)
  if (deployed) return checkDeployed(stageAddress(url), json)
  // Only what a view needs is loaded: the doctor also has to run in a broken installation.
  if (machine) return report(await (await import('./check/machine.ts')).checkMachine(), json)
  if (event !== undefined) {
    const { configuredTeam } = await import('../../infra/team-config.ts')
    return report((await import('./check/event.ts')).checkEvent(event, await configuredTeam()), json)
  }
  const { checkProject } = await import('../../infra/check/stage.ts')
  const { checkDirectory } = await import('./check/machine.ts')
  return report([...(await checkProject()), ...(await checkUsers()), ...(await checkDirectory(env))], json)
}

type Given = ReturnType<typeof readOptions<{ options: typeof OPTIONS }>>['values']

async function checkToDeploy({ stage, param = [], report: isPage, json }: Given): Promise<number> {
  if (!stage || stage === 'local') throw new UsageError('Name a stage that is deployed: --stage prod')
  if (!param.every((text) => text.includes('='))) throw new UsageError('--param must be <name>=<value>')
  if (isPage && json) throw new UsageError('--report is a page, and --json an object')
  const { checkStage } = await import('../../infra/check/stage.ts')
  const found = await checkStage({ stage, overrides: param })
  return isPage ? page(stage, found) : report(found, json)
}

/** Those of a local run, if the project has its own. */
async function checkUsers(): Promise<readonly Finding[]> {
  const { ownUsers } = await import('../users.ts')
  try {
    const users = ownUsers()
    return users ? [passed('users.json', `${users.length} users of a local run`)] : []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((why) => failing('users.json', why, 'docs/guide/own-repository.md'))
  }
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

/** Prints the page of a stage that was packaged. @returns the exit code: 1 if a check fails, or nothing was packaged */
async function page(stage: string, findings: readonly Finding[]): Promise<number> {
  const { packagedIn, reportOf } = await import('../../infra/check/report.ts')
  const packaged = packagedIn(STAGE_PACKAGE)
  if (!packaged) return report(findings)
  stdout.write(reportOf(stage, packaged, findings))
  return exitCode(findings)
}

/** Prints findings: a line each, or one object. @returns the exit code: 1 if one fails */
function report(findings: readonly Finding[], isJson = false, more: object = {}): number {
  const ok = exitCode(findings) === 0
  stdout.write(isJson ? `${JSON.stringify({ ok, ...more, findings })}\n` : findings.map(lineOf).join(''))
  return exitCode(findings)
}

function exitCode(findings: readonly Finding[]): number {
  return findings.some(({ level }) => level === 'fail') ? 1 : 0
}

function lineOf({ level, check: name, message, remedy }: Finding): string {
  const advice = remedy === undefined ? '' : `: ${remedy}`
  return `${styleText(COLORS[level], level.padEnd(4))}  ${name.padEnd(12)}  ${message}${advice}\n`
}

if (import.meta.main) await runChecks()
