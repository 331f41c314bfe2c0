import { stdout } from 'node:process'
import { jsonLine } from '../lib/runtime/log.ts'
import { type ReadLine, readLine } from '../lib/trail/line.ts'
import { type TrailFinding, type Verified, verifyTrail } from '../lib/trail/verify.ts'
import { localTrail } from './audit/local.ts'
import { AUDIT_USAGE, type AuditOptions, readAuditCommand } from './audit/options.ts'
import { stageTrail } from './audit/stage.ts'
import { runCommand } from './command.ts'

await runCommand({ name: 'audit', usage: AUDIT_USAGE, run: audit })

async function audit(args: readonly string[]): Promise<number> {
  const options = readAuditCommand(args)
  return options.mode === 'list' ? list(options) : verify(options)
}

/** @returns the exit code: 0 if nothing is wrong, 1 if something is, or the ends of the chains are not known */
async function verify({ stage, json, areHeadsWanted }: AuditOptions): Promise<number> {
  const trail = stage === undefined ? localTrail() : stageTrail(stage)
  const keys = await trail.keys()
  const known = areHeadsWanted ? await trail.heads() : undefined
  const verified = await verifyTrail(trail.lines(), { keys, known, horizon: trail.horizon })
  const isWhole = verified.findings.length === 0 && (known !== undefined || !areHeadsWanted)
  if (json) stdout.write(`${JSON.stringify({ whole: isWhole, headsRead: known !== undefined, ...verified })}\n`)
  else stdout.write(`${[...verified.findings.map(findingText), summaryOf(verified, known !== undefined)].join('\n')}\n`)
  return isWhole ? 0 : 1
}

function findingText({ chain, seq, line, what }: TrailFinding): string {
  const places = [line && `line ${line}`, chain && `chain ${chain}`, seq && `number ${seq}`].filter(Boolean)
  return safe(places.length === 0 ? what : `${places.join(', ')}: ${what}`)
}

function summaryOf({ findings, lines, chains, beyond }: Verified, areHeadsRead: boolean): string {
  const counts = `${lines} lines in ${chains} chains`
  const more = beyond === 0 ? '' : `; ${beyond} at the end of their chains are authentic, and no head covers them yet`
  const ends = areHeadsRead ? '' : '; nothing says where the chains end, so lines may be missing there'
  return findings.length === 0
    ? `whole: ${counts}${more}${ends}`
    : `not whole: ${counts}, ${findings.length} findings${ends}`
}

async function list({ stage, json }: AuditOptions): Promise<number> {
  const trail = stage === undefined ? localTrail() : stageTrail(stage)
  for await (const { text } of trail.lines()) {
    const line = readLine(text)
    if (line) stdout.write(`${json ? text : shortText(line)}\n`)
  }
  return 0
}

function shortText({ members }: ReadLine): string {
  const { at, action, outcome, user, apiKey, nameHash, from, target = {} } = members
  const who = user ?? apiKey ?? nameHash ?? '-'
  const what = Object.values(target as object).join(' ')
  return safe([at, String(action).padEnd(20), who, from, what, outcome].filter(Boolean).join('  '))
}

/** Nothing in it acts on a terminal. */
function safe(text: string): string {
  return jsonLine([text]).slice(2, -2)
}
