import { spawnSync } from 'node:child_process'
import { execPath, stdout } from 'node:process'

const QUALITY = 'quality/run.ts'
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'quality/vitest.config.ts']

/** Short runs of the tools, which take some seconds each. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit', '--project', 'quality'],
  tests: [...VITEST, '--project', 'tests'],
  bench: [QUALITY, 'bench', 'warm', '--short'],
  fuzz: [QUALITY, 'fuzz', '--inputs', '400', '--target', 'json-bodies'],
  simulate: [QUALITY, 'simulate', '--worlds', '40'],
}

/** What a step prints is told only when it fails. */
for (const [name, command] of Object.entries(STEPS)) {
  const { status, output } = spawnSync(execPath, command, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (status === 0) continue
  stdout.write(output.join(''))
  process.exitCode = 1
}
