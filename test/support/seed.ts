import { expect } from 'vitest'
import { command } from './command.ts'

/** Fills the tables of a local run with the events of a day. @param base the origin of its API */
export async function seed(base: string): Promise<void> {
  const PORT_OFFSET = String(Number(new URL(base).port) - 3000)
  expect(await command('seed', ['--events', '400'], { PORT_OFFSET })).toMatchObject({ code: 0 })
}
