import { globSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { type Expression, type Position, type Program, parse } from 'acorn'
import { type TransformFailure, transform } from 'esbuild'
import type { FoundHandler } from '../lib/deliver/configured/read.ts'
import { HANDLERS } from '../lib/deliver/handler-file.ts'
import { HANDLER_FILES } from './project.ts'

/**
 * The team's own code: each `<source>/<name>.ts` of the folder. Tests, and files whose names begin with an underscore, are
 * none. A file is read and not run, so `on` and `repeats` have to be literals.
 */
export function foundHandlers(folder = HANDLER_FILES): Promise<readonly FoundHandler[]> {
  const files = globSync(`${folder}/{*.ts,*/*.ts}`).filter(isHandler).sort()
  return Promise.all(files.map((file) => foundIn(folder, file)))
}

function isHandler(file: string): boolean {
  const name = basename(file)
  return !name.startsWith('_') && !/\.(?:test|d)\.ts$/.test(name)
}

async function foundIn(folder: string, file: string): Promise<FoundHandler> {
  const path = relative(folder, file).replace(/\.ts$/, '')
  if (!path.includes('/'))
    return { path, problem: atStart(`must stand in the folder of a source, ${HANDLERS}/<source>`) }
  try {
    const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', sourcefile: file, logLevel: 'silent' })
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
  const [on, repeats] = [named('on'), named('repeats')]
  if (!on) return { problem: atStart("must say what it is for: export const on = ['type']") }
  const types = textsIn(on.init)
  if (!types) return { problem: atStart(`on must be a literal list of texts, ${READ}`) }
  if (!repeats) return { on: types }
  return repeats.init?.type === 'Literal'
    ? { on: types, repeats: repeats.init.value }
    : { problem: atStart(`repeats must be a literal text, ${READ}`) }
}

const READ = 'because the build reads it and does not run it'

function textsIn(node: Expression | null | undefined): readonly string[] | undefined {
  if (node?.type !== 'ArrayExpression') return undefined
  const texts = node.elements.map((element) => (element?.type === 'Literal' ? element.value : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}
