import { Buffer } from 'node:buffer'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const FOLDER = `${import.meta.dirname}/corpus`

/** Of one target; those that are long or come late say the least. */
const MAXIMUM_INPUTS = 40
const MAXIMUM_BYTES = 2048

/** The inputs that earlier hunts found, as they are kept: a list of texts, a character for each byte. */
export function readCorpus(target: string): readonly Buffer[] {
  const path = `${FOLDER}/${target}.json`
  if (!existsSync(path)) return []
  const texts = JSON.parse(readFileSync(path, 'utf8')) as readonly string[]
  return texts.map((text) => Buffer.from(text, 'latin1'))
}

export function writeCorpus(target: string, inputs: readonly string[]): void {
  const kept = inputs.filter(({ length }) => length <= MAXIMUM_BYTES).slice(0, MAXIMUM_INPUTS)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/${target}.json`, `${JSON.stringify(kept, null, 2)}\n`)
}
