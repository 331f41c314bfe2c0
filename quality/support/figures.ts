import { mkdirSync, writeFileSync } from 'node:fs'
import { machine } from './machine.ts'

/** What a long run tried and what it found: a row of the table in docs/reliability.md. */
export interface Figures {
  /** What is claimed, as the row begins. */
  readonly claim: string
  /** How to run it again. */
  readonly command: string
  /** How much was tried, with numbers. */
  readonly tried: string
  /** What was found, with numbers. */
  readonly found: string
  readonly minutes: number
}

const FOLDER = `${import.meta.dirname}/../figures`

/** Keeps the figures of a run, with the day and the machine, for `npm run quality -- report`. */
export function keep(name: string, figures: Figures): void {
  mkdirSync(FOLDER, { recursive: true })
  const kept = { ...figures, minutes: Math.round(figures.minutes * 10) / 10, machine: machine(new Date()) }
  writeFileSync(`${FOLDER}/${name}.json`, `${JSON.stringify(kept, null, 2)}\n`)
}
