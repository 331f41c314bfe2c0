import { spawnSync } from 'node:child_process'
import process, { execPath, stdout } from 'node:process'
import type { PartName } from './parts.ts'

const PART = (name: PartName, ...args: readonly string[]) => ['quality/run.ts', name, ...args]

/** What runs, in a few seconds each. The tests are also the short forms of chaos (five kills) and strangers. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit', '--project', 'quality'],
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', 'quality'],
  tests: PART('tests'),
  cost: PART('cost', '--check'),
  mutants: PART('mutants', 'lib/auth/permissions.ts'),
  fuzz: PART('fuzz', '--inputs', '400', '--target', 'json-bodies'),
  simulate: PART('simulate', '--worlds', '40'),
  sdks: PART('sdks'),
  load: PART('load', '--seconds', '2', '--callers', '4'),
  soak: PART('soak', '--seconds', '5', '--rate', '10', '--watchers', '2'),
  bench: PART('bench', '--short'),
  budgets: PART('budgets', '-t', 'bytes|write units|every figure'),
}

/** What a step prints is told only when it fails. */
for (const [name, command] of Object.entries(STEPS)) {
  const began = performance.now()
  const { status, output } = spawnSync(execPath, [...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}, ${seconds} s\n`)
  if (status === 0) continue
  stdout.write(output.join(''))
  process.exitCode = 1
}
