import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import published from '../../../../examples/vectors/vectors.json' with { type: 'json' }
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { pythonWith } from '../../../support/python.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const python = pythonWith('cryptography')
const RUNNERS = [
  ['JavaScript', execPath, 'examples/vectors/run.mjs'],
  ['Python', python, 'examples/vectors/run.py'],
] as const

function run(program: string, ...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stdout: string }>((resolve) => {
    execFile(program, args, (error, stdout) => resolve({ code: error ? Number(error.code) : 0, stdout }))
  })
}

describe.each(RUNNERS)('the runner in %s', (_, program, runner) => {
  it.skipIf(program === undefined)('gives every vector of every provider its verdict', async () => {
    const { vectors } = published
    const count = Object.keys(PROVIDERS).length
    expect(await run(program ?? '', runner)).toEqual({
      code: 0,
      stdout: `${vectors.length} vectors of ${count} providers, 0 wrong verdicts\n`,
    })
    for (const valid of [true, false])
      expect(new Set(vectors.filter((one) => one.valid === valid).map(({ scheme }) => scheme)).size).toBe(count)
  })

  it.skipIf(program === undefined)('sees a wrong verdict that is planted in any vector', async () => {
    const file = join(folder.path, 'planted.json')
    const vectors = published.vectors.map((one) => ({ ...one, valid: !one.valid }))
    writeFileSync(file, JSON.stringify({ ...published, vectors }))
    const { code, stdout } = await run(program ?? '', runner, file)
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${vectors.length} wrong verdicts\n`)])
  })
})
