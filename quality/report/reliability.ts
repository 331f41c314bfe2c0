import { readFileSync } from 'node:fs'
import { code, table, withParts } from '../../infra/description/markdown.ts'
import type { Figures } from '../support/figures.ts'

/** The page of reliability, with the figures of the last long runs. */
export function reliabilityPage(): string {
  return withParts('docs/reliability.md', { reliability })
}

/** The long runs whose figures are kept (`quality/support/figures.ts`), in the order of the page. */
const RUNS = ['simulate', 'model', 'chaos', 'chaos-deliveries', 'fuzz', 'planted', 'mutants', 'load', 'soak'] as const

function reliability(): string {
  const rows = RUNS.map((name) => {
    const { claim, tried, found, command, minutes } = figuresOf(name)
    return [claim, tried, found, `${code(command)}, ${minutes} min`]
  })
  return table(['claim', 'tried', 'found', 'again'], rows)
}

function figuresOf(name: string): Figures {
  return JSON.parse(readFileSync(`quality/figures/${name}.json`, 'utf8'))
}
