import { writeFileSync } from 'node:fs'
import { env, stdout } from 'node:process'
import { styleText } from 'node:util'
import { runCommand } from './command.ts'
import { type CheckOutcome, runCheck } from './verify/check.ts'
import { connect } from './verify/connect.ts'
import { readVerifyOrder, VERIFY_USAGE, type VerifyOrder } from './verify/options.ts'
import { type VerifyReport, versionOf } from './verify/report.ts'
import { STAGE_CHECKS } from './verify/table.ts'

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'gray' } as const

await runCommand({ name: 'verify', usage: VERIFY_USAGE, run: (args) => verify(readVerifyOrder(args)) })

/** @returns the exit code: 1 when a check fails */
async function verify(order: VerifyOrder): Promise<number> {
  const date = new Date().toISOString()
  const { stage, events } = connect(order, env)
  const checks: CheckOutcome[] = []
  for (const [name, check] of Object.entries(STAGE_CHECKS)) {
    const result = await runCheck(name, check, stage)
    if (!order.isJson) stdout.write(lineOf(result))
    checks.push(result)
  }
  const ok = checks.every(({ level }) => level !== 'fail')
  const report: VerifyReport = {
    ok,
    date,
    url: order.url.origin,
    version: await versionOf(stage),
    checks,
    events: [...events],
  }
  stdout.write(order.isJson ? `${JSON.stringify(report)}\n` : eventsOf(report))
  if (order.report !== undefined) writeFileSync(order.report, `${JSON.stringify(report, undefined, 2)}\n`)
  return ok ? 0 : 1
}

function lineOf({ check, level, seen }: CheckOutcome): string {
  return `${styleText(COLORS[level], level.padEnd(7))}  ${check.padEnd(22)}  ${seen}\n`
}

function eventsOf({ events }: VerifyReport): string {
  return events.length === 0 ? '' : `Left behind: ${events.join(', ')}\n`
}
