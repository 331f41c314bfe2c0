import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'
import { memoryOfTree } from './gateway/process-tree.ts'

const HOLD = `const held = Buffer.alloc(64e6, 1); process.stdout.write('holds'); setInterval(() => held, 1e6)`
const PARENT = `require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'inherit' })`

const isThere = existsSync('/proc/self/smaps_rollup')

it.skipIf(isThere)('memory is not measured, because only Linux shows the memory of other processes', () => {
  console.log('skipped: there is no /proc')
})

it.runIf(isThere)('the memory of a process includes that of its child processes', async () => {
  const parent = spawn(execPath, ['-e', PARENT, HOLD], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  await once(parent.stdout, 'data')
  const memory = memoryOfTree(parent.pid ?? 0)
  process.kill(-(parent.pid ?? 0))
  expect(memory).toBeGreaterThan(64e6)
  expect(memory).toBeLessThan(400e6)
})

it('a process that does not exist holds nothing', () => {
  expect(memoryOfTree(2 ** 22 + 1)).toBe(0)
})
