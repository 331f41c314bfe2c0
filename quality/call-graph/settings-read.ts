import { isCallExpression, isIdentifier } from 'typescript/unstable/ast/is'
import type { Code, ReachedCode } from './reachable-code.ts'

/** The file that a function's handler is built from. */
export function sourceOf(handler: string): string {
  return handler.replace(/^dist/, 'functions').replace('/index.handler', '.ts')
}

/** The functions that read settings, and which of their arguments says what they read. */
const POSITIONS: Readonly<Record<string, number>> = { loadConfig: 0, secretConfig: 1 }

/** The names of the settings that reached code reads. */
export function settingsOf(reached: readonly ReachedCode[], { propertiesOf }: Pick<Code, 'propertiesOf'>) {
  const calls = reached.flatMap(({ nodes }) => nodes.filter(isCallExpression))
  const settings = calls.flatMap(({ expression, arguments: given }) => {
    const read = isIdentifier(expression) ? given[POSITIONS[expression.text] ?? given.length] : undefined
    return read ? propertiesOf(read) : []
  })
  return [...new Set(settings)].sort()
}
