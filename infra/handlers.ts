import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Expression, type Position, type Program, type Property, parse, type SpreadElement } from 'acorn'
import { type TransformFailure, transform } from 'esbuild'
import type { FoundHandler } from '../lib/deliver/configured/read.ts'
import { HANDLERS } from '../lib/deliver/handler-file.ts'
import { HANDLER_FILES } from './project.ts'

/**
 * The team's own code: each `<source>/<name>.ts` of the folder. Tests, and files whose names begin with an underscore, are
 * none. A file is read and not run, so `on`, `where` and `repeats` have to be literals.
 */
export function foundHandlers(folder = HANDLER_FILES): Promise<readonly FoundHandler[]> {
  const files = globSync('{*.ts,*/*.ts}', { cwd: folder }).filter(isHandler).sort()
  return Promise.all(files.map((file) => foundIn(folder, file)))
}

function isHandler(file: string): boolean {
  const name = basename(file)
  return !name.startsWith('_') && !/\.(?:test|d)\.ts$/.test(name)
}

async function foundIn(folder: string, file: string): Promise<FoundHandler> {
  const path = file.replace(/\.ts$/, '')
  if (!path.includes('/'))
    return { path, problem: atStart(`must stand in the folder of a source, ${HANDLERS}/<source>`) }
  try {
    const text = readFileSync(join(folder, file), 'utf8')
    const { code } = await transform(text, { loader: 'ts', sourcefile: file, logLevel: 'silent' })
    return { path, ...exportsOf(parse(code, { sourceType: 'module', ecmaVersion: 'latest' })) }
  } catch (error) {
    return { path, problem: problemIn(error) }
  }
}

/** What esbuild, or acorn, has to say of a file. */
function problemIn(error: unknown): FoundHandler['problem'] {
  const { errors: [first] = [], message, loc } = error as Partial<TransformFailure> & { readonly loc?: Position }
  const place = first?.location ?? loc
  if (!place) throw error
  return { text: first?.text ?? message ?? '', line: place.line, column: place.column }
}

/** A mistake that has no place of its own. */
function atStart(text: string): FoundHandler['problem'] {
  return { text, line: 1, column: 0 }
}

function exportsOf({ body }: Program): Omit<FoundHandler, 'path'> {
  if (!body.some(({ type }) => type === 'ExportDefaultDeclaration'))
    return { problem: atStart('must have a default export: export default handler(…)') }
  const constants = body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations
      : [],
  )
  const named = (name: string) => constants.find(({ id }) => id.type === 'Identifier' && id.name === name)
  if (!named('on')) return { problem: atStart("must say what it is for: export const on = ['type']") }
  const given = ['on', 'where', 'repeats'].filter(named)
  try {
    return Object.fromEntries(given.map((name) => [name, literal(named(name)?.init)]))
  } catch (error) {
    if (!(error instanceof NotLiteral)) throw error
    return {
      problem: atStart(`${given.join(', ')} must be literals, because the build reads them and does not run them`),
    }
  }
}

class NotLiteral extends Error {}

/** The value of an expression that needs no run. @throws NotLiteral */
function literal(node: Expression | SpreadElement | Property['value'] | null | undefined): unknown {
  switch (node?.type) {
    case 'Literal':
      return node.value
    case 'UnaryExpression':
      if (node.operator === '-') return -Number(literal(node.argument))
      break
    case 'ArrayExpression':
      return node.elements.map(literal)
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.map(member))
  }
  throw new NotLiteral()
}

function member(property: Property | SpreadElement): readonly [string, unknown] {
  if (property.type !== 'Property' || property.computed) throw new NotLiteral()
  const { key, value } = property
  return [key.type === 'Identifier' ? key.name : String(literal(key)), literal(value)]
}
