import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LogsClient, logsClient } from '../../../lib/adapters/logs/client.ts'
import { everyLine, logsTrailReader } from '../../../lib/adapters/logs/trail-reader.ts'
import { logsTrailSink } from '../../../lib/adapters/logs/trail-sink.ts'
import { createTrail } from '../../../lib/trail/trail.ts'
import { startCloudWatchLogs } from '../../../localstack/emulators/cloudwatch-logs.ts'
import { fileLines, type LogLines, memoryLines } from '../../../localstack/emulators/log-group.ts'
import type { RunPart } from '../../../localstack/supervisor.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryTrail } from '../../support/fakes/trail.ts'
import { freePort } from '../../support/free-port.ts'
import { ENTRY, TRAIL_KEY } from '../../support/trail.ts'

const GROUP = '/gatehouse/local/audit'

let part: RunPart
let folder: string
let file: string
let logs: LogsClient

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-logs-'))
  file = join(folder, 'audit.log')
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await part.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(lines: LogLines): Promise<void> {
  const port = await freePort()
  part = await startCloudWatchLogs(port, new URL('http://127.0.0.1:3000'), lines)
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH_LOGS', `http://127.0.0.1:${port}`)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  logs = logsClient()
}

/** So many lines of one chain, a second apart, the first of them by alice. */
async function written(count: number): Promise<void> {
  const clock = fixedClock()
  const keys = { current: [TRAIL_KEY] }
  const parts = { sink: logsTrailSink(logs, GROUP), heads: new MemoryTrail(), keys, clock, newChain: () => 'chain-1' }
  const { record } = createTrail(parts)
  for (let index = 0; index < count; index++) {
    await record(index === 0 ? { ...ENTRY, uid: 'alice' } : ENTRY)
    clock.advance(1000)
  }
}

async function all(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { text, stream } of everyLine(logs, GROUP)) found.push(`${stream} ${text}`)
  return found
}

describe('the emulator of CloudWatch Logs', () => {
  it('keeps each line byte for byte, and continues after another start', async () => {
    await start(fileLines(file))
    await written(3)
    const texts = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(await all()).toEqual(texts.map((text) => `chain-1 ${text}`))
    await part.stop()
    appendFileSync(file, 'half a li')
    await start(fileLines(file))
    await logs.ask('Logs_20140328.CreateLogStream', { logGroupName: GROUP, logStreamName: 's' })
    await logsTrailSink(logs, GROUP).append('s', [{ text: '{"chain":"s"}', at: START, mac: '' }])
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([...texts, 'half a li', '{"chain":"s"}', ''])
  })

  it('answers a search page by page', async () => {
    await start(memoryLines())
    await written(5)
    const { page } = logsTrailReader(logs, GROUP)
    const since = new Date(START.getTime() + 1000)
    const first = await page({ since, wanted: {}, limit: 3 })
    expect(first?.lines.map(({ text }) => JSON.parse(text).seq)).toEqual([2, 3, 4])
    const rest = await page({ since, wanted: {}, limit: 3, cursor: first?.next })
    expect([rest?.lines.length, rest?.next]).toEqual([1, undefined])
    const until = new Date(START.getTime() + 2000)
    expect((await page({ since, until, wanted: {}, limit: 9 }))?.lines).toHaveLength(1)
    const wanted = { uid: 'alice', action: 'user.created' }
    expect((await page({ since: START, wanted, limit: 9 }))?.lines).toHaveLength(1)
    expect((await page({ since: START, wanted: { ...wanted, uid: 'bob' }, limit: 9 }))?.lines).toEqual([])
  })

  it('A12 refuses an invalid cursor, or one of another search', async () => {
    await start(memoryLines())
    await written(3)
    const { page } = logsTrailReader(logs, GROUP)
    const first = await page({ since: START, wanted: {}, limit: 1 })
    expect(await page({ since: new Date(0), wanted: {}, limit: 1, cursor: first?.next })).toBeUndefined()
    expect(await page({ since: START, wanted: {}, limit: 1, cursor: 'nonsense' })).toBeUndefined()
  })

  it('shows lines that another program wrote into the file, which belong to no stream', async () => {
    writeFileSync(file, 'hello\n')
    await start(fileLines(file))
    expect(await all()).toEqual(['none hello'])
  })

  it.each<[string, object, string]>([
    ['PutLogEvents', { logStreamName: 'no', logEvents: [{ timestamp: 1, message: 'a' }] }, 'ResourceNotFoundException'],
    ['PutLogEvents', { logStreamName: 's', logEvents: [] }, 'InvalidParameterException'],
    ['CreateLogStream', { logStreamName: 's' }, 'ResourceAlreadyExistsException'],
    ['FilterLogEvents', { filterPattern: 'ERROR' }, 'InvalidParameterException'],
    ['FilterLogEvents', { limit: 10_001 }, 'InvalidParameterException'],
    ['DeleteLogGroup', {}, 'UnknownOperationException'],
  ])('refuses %s with %j like AWS: %s', async (action, input, code) => {
    await start(memoryLines())
    await logs.ask('Logs_20140328.CreateLogStream', { logGroupName: GROUP, logStreamName: 's' })
    await expect(logs.ask(`Logs_20140328.${action}`, { logGroupName: GROUP, ...input })).rejects.toMatchObject({
      name: 'LogsError',
      code,
    })
  })
})

it('A10 lines that CloudWatch Logs did not accept count as not written, although it answers with 200', async () => {
  const rejecting: LogsClient = { ask: async () => ({ rejectedLogEventsInfo: {} }) }
  const append = logsTrailSink(rejecting, GROUP).append('s', [{ text: '{}', at: START, mac: '' }])
  await expect(append).rejects.toMatchObject({ code: 'RejectedLogEvents' })
})
