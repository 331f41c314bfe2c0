import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { freeOffset, startStack } from '../../test/support/stack.ts'
import { effort } from './effort.ts'
import { median, type Row } from './findings.ts'

/** As in a shell of its user: nothing that another process has compiled. */
const NPM_START = 'unset NODE_COMPILE_CACHE; exec npm start --silent -- --json'

/** Seconds from `npm start` to its ready line where it is installed, and from an empty folder to the first 200. */
export async function start(folder: string): Promise<readonly Row[]> {
  const another = () => mkdtempSync(join(folder, 'data-'))
  const kept = another()
  const rows: Row[] = []
  const measure = async (what: string, rounds: number, take: () => Promise<number>) => {
    const all: number[] = []
    for (let round = 0; round < rounds; round++) all.push(await take())
    rows.push({ what, unit: 's', value: median(all) })
  }
  // Bundles, compiles and fills the data folder, which is not what is measured.
  await secondsOf(NPM_START, { DATA_DIR: kept })
  for (const [name, data] of Object.entries({ empty: another, existing: () => kept }))
    await measure(`\`npm start\`, an ${name} data folder: to the ready line`, effort(5, 1), async () => {
      return (await secondsOf(NPM_START, { DATA_DIR: data() })).ready
    })
  await measure('`git clone`, `npm start`, a warm npm cache: to the first 200', effort(3, 1), async () => {
    const copy = join(another(), 'gatehouse')
    const clone = `git clone --quiet 'file://${cwd()}' ${copy} && cd ${copy} && ${NPM_START}`
    return (await secondsOf(clone, {})).answer
  })
  return rows
}

/** @param script of a shell, which becomes `npm start` @throws Error when it ends before it is ready */
async function secondsOf(script: string, environment: Readonly<Record<string, string>>) {
  const PORT_OFFSET = String(await freeOffset())
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  const stack = await startStack({ PORT_OFFSET, ...environment }, ['sh', '-c', script])
  const ready = since()
  const { ok } = await fetch(`${stack.ready.http}/api/public/hello`)
  const answer = since()
  await stack.stop()
  if (!ok) throw new Error('npm start does not answer')
  return { ready, answer }
}
