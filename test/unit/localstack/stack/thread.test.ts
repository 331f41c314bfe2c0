import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startThread } from '../../../../localstack/stack/parts.ts'

let folder: string
let log: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  log = join(folder, 'log')
})
afterEach(() => rmSync(folder, { recursive: true }))

function threadOf(source: string, input?: unknown) {
  const file = join(folder, 'module.mjs')
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads'\n${source}`)
  return startThread('A part', file, input, openSync(log, 'a'))
}

const READY = "parentPort.postMessage('listening')"
const logged = (text: string) => vi.waitUntil(() => readFileSync(log, 'utf8').includes(text), { timeout: 20_000 })

it('a thread is ready at its first message, writes into the log, and ends on request', async () => {
  const { part, up } = threadOf(`console.log(workerData); ${READY}; setInterval(() => {}, 1000)`, 'what it was given')
  await up
  await logged('what it was given')
  await part.stop()
  await expect(part.ended).resolves.toBeUndefined()
})

it('a thread that throws ends alone, and the log contains the reason', async () => {
  const { part, up } = threadOf(`${READY}; setTimeout(() => { throw new Error('a malformed packet') })`)
  await up
  await expect(part.ended).resolves.toBeUndefined()
  await logged('A part: Error: a malformed packet')
})

it('a thread that throws before it is ready is not awaited', async () => {
  const { part, up } = threadOf("throw new Error('no such port')")
  await up
  await part.ended
  await logged('no such port')
})
