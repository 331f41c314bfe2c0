import { isCallExpression, isIdentifier } from 'typescript/unstable/ast/is'
import type { Code, ReachedCode } from './reachable-code.ts'

/** The file that a function's handler is built from. */
export function sourceOf(handler: string): string {
  return handler.replace(/^dist/, 'functions').replace('/index.handler', '.ts')
}

/** The names of the settings that reached code reads. */
export function settingsOf(reached: readonly ReachedCode[], { propertiesOf }: Pick<Code, 'propertiesOf'>) {
  const calls = reached.flatMap(({ nodes }) => nodes.filter(isCallExpression))
  const reads = calls.filter(({ expression }) => isIdentifier(expression) && expression.text === 'loadConfig')
  const settings = reads.flatMap(({ arguments: [read] }) => (read ? propertiesOf(read) : []))
  return [...new Set(settings)].sort()
}
