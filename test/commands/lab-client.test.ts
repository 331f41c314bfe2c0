import { execFile, spawnSync } from 'node:child_process'
import { stderr } from 'node:process'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'

function hasCurl(): boolean {
  const isThere = spawnSync('curl', ['--version']).status === 0
  if (!isThere) stderr.write('skipped: these tests need curl\n')
  return isThere
}

interface Report {
  readonly faults: readonly { readonly verdict: string }[]
}

it.skipIf(!hasCurl()).concurrent.each([
  ['good', 'passed'],
  ['bad', 'failed'],
])(
  'http-41 the report distinguishes good clients from bad ones: curl in a shell script, %s',
  async (variant, verdict) => {
    const name = `curl-${variant}`
    await promisify(execFile)('sh', ['test/support/lab/client.sh', variant, inject('http'), name])
    const { faults } = (await (await fetch(new URL(`/lab/report/${name}`, inject('http')))).json()) as Report
    expect(faults.map((fault) => fault.verdict)).toEqual(Array(8).fill(verdict))
  },
)
