import { stdout } from 'node:process'
import { styleText } from 'node:util'
import type { Finding } from '../../infra/finding.ts'

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/**
 * Prints findings: a line each, or one object.
 * @returns the exit code: 1 if one fails
 */
export function report(findings: readonly Finding[], isJson: boolean): number {
  const isOk = findings.every(({ level }) => level !== 'fail')
  stdout.write(isJson ? `${JSON.stringify({ ok: isOk, findings })}\n` : findings.map(lineOf).join(''))
  return isOk ? 0 : 1
}

function lineOf(finding: Finding): string {
  const { level, check, message } = finding
  const remedy = finding.level === 'ok' ? '' : `: ${finding.remedy}`
  return `${styleText(COLOURS[level], level.padEnd(4))}  ${check.padEnd(12)}  ${message}${remedy}\n`
}
